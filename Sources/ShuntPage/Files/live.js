// Decisions as they are made.
import { h, put, count, duration, show, code, pill, field, announce } from './dom.js';
import { listen } from './api.js';

const MOST = 300;
export const live = async (main, { query, keep, signal, status, every }) => {
  const kinds = ['forward', 'redirect', 'degrade', 'respond', 'block', 'fail'];
  const kind = h('select', null, h('option', { value: '' }, 'every kind'), kinds.map(one => h('option', { value: one, selected: query.get('kind') === one }, one)));
  const rule = h('input', { type: 'text', value: query.get('rule') ?? '', placeholder: 'rules/20', spellcheck: 'false' });
  const host = h('input', { type: 'text', value: query.get('host') ?? '', placeholder: 'example.com', spellcheck: 'false' });
  const pause = h('button', { 'aria-pressed': false, onclick: () => toggle() }, 'Pause');
  const told = h('p', { role: 'status', class: 'note', id: 'lost' });
  const rows = h('tbody');
  const waiting = h('td', { colspan: 7, class: 'empty' }, 'Waiting for decisions …');
  put(rows, h('tr', null, waiting));
  put(main, h('div', { class: 'head' }, h('h1', null, 'Live'), h('p', null, 'At most 50 decisions a second, chosen evenly')));
  if (!status.offers.includes('live')) return main.append(h('div', { class: 'empty card' }, h('b', null, 'No requests come in here'), 'shunt serve shows them; this page is for rules that somebody edits.'));
  main.append(h('div', { class: 'bar' }, field('Kind', kind), field('Rule', rule), field('Host', host), pause), told,
    h('div', { class: 'live', tabindex: 0, role: 'region', 'aria-label': 'Decisions' }, h('table', null, h('thead', null, h('tr', null, ['Time', 'Decision', 'Status', 'Method', 'URL', 'Took', 'Rule'].map(title => h('th', { scope: 'col' }, title)))), rows)));

  let stop = null, isPaused = false, lost = 0, seen = 0, missed = 0, fresh = [];
  const toggle = () => {
    isPaused = !isPaused;
    pause.setAttribute('aria-pressed', isPaused);
    pause.textContent = isPaused ? 'Go on' : 'Pause';
    if (isPaused) { stop.abort(); tell('Paused.'); } else open();
  };
  const tell = text => { told.textContent = text ?? `${count(seen)} shown, ${count(lost)} left out`; };
  const line = one => h('tr', { class: 'fresh' }, h('td', { class: 'mono muted' }, one.time.slice(11, 19)), h('td', null, pill(one.decision)), h('td', { class: 'num' }, one.status), h('td', null, show(one.method, 20)),
    h('td', { class: 'where' }, code(one.host + one.target, 500), one.url !== undefined && one.url.replace(/^https?:\/\//, '') !== one.host + one.target && h('div', { class: 'muted' }, '→ ', code(one.url, 500)), one.reason && h('div', { class: 'bad' }, show(one.reason, 200))),
    h('td', { class: 'num' }, duration(one.microseconds)), h('td', null, one.rule && h('a', { href: `#/rules?q=${encodeURIComponent(one.rule)}` }, show(one.rule.split('/').at(-1), 100))));
  const flush = () => {
    if (!fresh.length) return;
    if (waiting.isConnected) rows.replaceChildren();
    rows.prepend(...fresh.reverse().map(line));
    fresh = [];
    while (rows.childElementCount > MOST) rows.lastElementChild.remove();
    tell();
  };
  const open = async () => {
    stop?.abort();
    const mine = stop = new AbortController();
    const asked = new URLSearchParams();
    for (const [name, input] of [['kind', kind], ['rule', rule], ['host', host]]) if (input.value) asked.set(name, input.value);
    keep(asked);
    try {
      await listen(asked, (event, value) => {
        if (mine.signal.aborted) return;
        if (event === 'open') { main.dataset.listening = true; tell('Listening.'); }
        else if (event === 'decision') { seen++; fresh.push(value); }
        else if (event === 'lost') { lost += value.count; tell(); }
        else announce(event === 'held' ? 'Rules wait for approval' : `Version ${value.version} of the rules`);
      }, mine.signal);
      if (!mine.signal.aborted) tell('The gateway has ended the stream.');
    } catch (problem) {
      if (!mine.signal.aborted) tell(problem.status === 503 ? 'Eight others look on already: try again when one has left.' : 'The connection is gone.');
    }
  };
  for (const input of [kind, rule, host]) input.addEventListener('change', () => { put(rows, h('tr', null, waiting)); [seen, lost] = [0, 0]; if (!isPaused) open(); });
  signal.addEventListener('abort', () => stop?.abort());
  const timer = setInterval(flush, 100);
  signal.addEventListener('abort', () => clearInterval(timer));
  open();
};
