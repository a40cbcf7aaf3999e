// What runs here, and how it goes.
import { h, put, ago, count, plural, duration, show, pill, empty } from './dom.js';
import { get } from './api.js';
import { stacked, heat, quantile } from './charts.js';

const tile = (title, big, small, text, href) => h('section', { class: 'card tile' },
  h('h2', null, title), h('p', { class: 'big' }, big, small && h('small', null, ' ', small)),
  h('p', null, href ? h('a', { href }, text) : text));
const AUTOMATIC = 20000;

export const overview = async (main, { status, signal, every }) => {
  const tiles = h('div', { class: 'grid' });
  const pictures = h('div', { class: 'two' });
  const below = h('div', { class: 'two' });
  put(main, h('div', { class: 'head' }, h('h1', null, 'Overview'), h('p', { title: status.source }, show(status.source.split('/').at(-1), 200))), tiles, pictures, below);
  let findings = null, wanted = status.rules <= AUTOMATIC;

  const draw = async () => {
    const [state, traffic, attempts, coverage] = await Promise.all([
      get('/status', signal), status.offers.includes('traffic') ? get('/traffic', signal) : null, get('/history', signal),
      status.offers.includes('coverage') && !below.dataset.drawn ? get('/coverage', signal) : null,
    ]);
    if (wanted && !findings?.schema) findings = await get('/findings', signal);
    if (signal.aborted) return;
    const samples = traffic?.samples ?? [];
    const list = [];
    list.push(tile('Rules', count(state.rules), `version ${state.version}`, `hash ${state.hash.slice(0, 12)}`, '#/rules'));
    if (samples.length > 1) {
      const [before, now] = samples.slice(-2);
      const sum = numbers => numbers.reduce((a, b) => a + b, 0);
      const rate = (sum(now.decisions) - sum(before.decisions)) / Math.max(1, now.time - before.time);
      list.push(tile('Decisions / s', count(+rate.toFixed(1)), '', `${count(sum(now.decisions))} since the start`, '#/live'));
      const [half, most] = [quantile(traffic, .5), quantile(traffic, .99)];
      const bound = time => time === null ? '–' : time === Infinity ? '> 5 s' : `≤ ${duration(time)}`;
      list.push(tile('Latency, 99 %', bound(most), '', `half ${bound(half)}, last minute`));
      list.push(tile('Upstream failures', count(now.failures), '', now.failures ? '502 and 504' : 'none since the start'));
    }
    const last = attempts.attempts[0];
    if (last) list.push(tile('Last reload', last.outcome, '', `${ago(last.time)} by ${last.trigger}`, '#/reloads'));
    if (findings?.schema) {
      list.push(tile('Findings', count(findings.findings.length), '', `${plural(findings.errors, 'error')}, ${plural(findings.warnings, 'warning')}, ${plural(findings.notes, 'note')}`, '#/rules?filter=findings'));
    } else {
      list.push(h('section', { class: 'card tile' }, h('h2', null, 'Findings'), wanted ? h('p', { class: 'big' }, '…') : h('button', { onclick: () => { wanted = true; draw(); } }, 'Look for findings'), h('p', null, wanted ? 'lint looks at the rules' : 'takes a while for so many rules')));
    }
    put(tiles, list);
    if (samples.length > 1) {
      put(pictures,
        h('section', { class: 'card' }, h('h2', null, 'Decisions by kind'), stacked(traffic)),
        h('section', { class: 'card' }, h('h2', null, 'Latency'), heat(traffic)));
    } else if (traffic) put(pictures, empty('Counting has just begun', 'The first pictures come in a few seconds.'));
    if (coverage) { drawCoverage(below, coverage); below.dataset.drawn = true; }
    if (findings?.schema && !below.dataset.findings) {
      below.dataset.findings = true;
      below.append(h('section', { class: 'card' }, h('h2', null, 'What lint found'), findings.findings.length === 0 ? h('p', { class: 'muted' }, 'Nothing. Every check passed.')
        : h('ul', { class: 'list' }, findings.findings.slice(0, 12).map(one => h('li', null,
          pill(one.severity), ' ', h('a', { href: `#/rules?q=${encodeURIComponent(`${one.file}:${one.line}:`)}` }, show(`${one.file.split('/').at(-1)}:${one.line}`, 120)), h('br'), show(one.message, 300))),
        findings.findings.length > 12 && h('li', { class: 'muted' }, `and ${count(findings.findings.length - 12)} more`))));
    }
  };
  await draw();
  every(2, draw);
};

const drawCoverage = (target, coverage) => {
  if (coverage.problem) target.append(h('p', { class: 'card bad' }, show(coverage.problem, 500)));
  if (coverage.targets === undefined) return;
  const share = coverage.targets ? Math.round(100 * coverage.reached / coverage.targets) : 100;
  target.append(h('section', { class: 'card' }, h('h2', null, 'What the tests reach'),
    h('p', null, `${plural(coverage.tests, 'test')}, ${coverage.failed ? `${coverage.failed} fail` : 'all pass'}; ${coverage.reached} of ${coverage.targets} targets (${share} %)`),
    h('progress', { max: 100, value: share, 'aria-label': 'Share of targets that the tests reach' }),
    coverage.missing.length > 0 && h('details', null, h('summary', null, `${plural(coverage.missing.length, 'target')} without a test`),
      h('ul', { class: 'list' }, coverage.missing.slice(0, 100).map(one => h('li', null, h('a', { href: `#/rules?q=${encodeURIComponent(one.rule)}` }, show(one.rule.split('/').at(-1), 120)), ' ', show(one.text, 200)))))));
};
