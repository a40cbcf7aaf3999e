// The attempts to load rules, what they changed, and what waits for approval.
import { h, put, ago, count, plural, show, code, pill, empty, difference, announce } from './dom.js';
import { get, post } from './api.js';
import { flow } from './charts.js';

export const reloads = async (main, { query, keep, signal, every }) => {
  const candidate = h('div'), list = h('ol', { class: 'list attempts' }), detail = h('div', { class: 'list', id: 'attempt' });
  let attempts = [], chosen = query.get('time'), drawn = '';
  put(main, h('div', { class: 'head' }, h('h1', null, 'Reloads'), h('p', null, 'The last 100 attempts to load rules')), candidate,
    h('div', { class: 'two beside' }, h('section', { 'aria-label': 'Attempts' }, list), h('section', { 'aria-label': 'The attempt' }, detail)));

  const load = async () => {
    const [answer, status] = await Promise.all([get('/history', signal), get('/status', signal)]);
    if (signal.aborted) return;
    drawCandidate(status.gate);
    if (JSON.stringify(answer.attempts) === drawn) return ages();
    drawn = JSON.stringify(answer.attempts);
    const isNew = attempts.length > 0 && answer.attempts[0]?.time !== attempts[0].time;
    attempts = answer.attempts;
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.time : null;
    put(list, attempts.map(attempt => h('li', null, h('button', { 'data-time': attempt.time, 'aria-pressed': false, onclick: () => choose(attempt.time) },
      pill(attempt.outcome), h('span', null, summary(attempt)), h('time', { class: 'muted', datetime: attempt.time }, ago(attempt.time))))));
    if (focused) list.querySelector(`[data-time="${focused}"]`)?.focus();
    if (isNew) { announce(`Rules: ${attempts[0].outcome}`); chosen = null; }
    await choose(chosen, true);
  };
  const ages = () => { for (const time of list.querySelectorAll('time')) time.textContent = ago(time.dateTime); };
  const summary = attempt => attempt.added === undefined ? [`version ${attempt.version}`, attempt.reason && ` stays: ${attempt.reason}`]
    : [`version ${attempt.version}: `, h('span', { class: 'good' }, `+${count(attempt.added)} `), h('span', { class: 'bad' }, `−${count(attempt.removed)} `), h('span', { class: 'warn' }, `~${count(attempt.edited)}`)];

  const choose = async (time, isFirst) => {
    const attempt = attempts.find(one => one.time === time) ?? attempts[0];
    if (!attempt) return put(detail, empty('Nothing yet', 'Save a rule file, and the attempt to load it is here.'));
    chosen = attempt.time;
    if (!isFirst) { query.set('time', chosen); keep(query); }
    for (const button of list.querySelectorAll('button')) button.setAttribute('aria-pressed', button.dataset.time === chosen);
    put(detail, h('section', { class: 'card list' }, h('div', { class: 'head' }, h('h2', null, `Version ${attempt.version}`), pill(attempt.outcome)),
      h('dl', { class: 'facts' }, h('dt', null, 'Time'), h('dd', null, new Date(attempt.time).toLocaleString('en-GB')), h('dt', null, 'By'), h('dd', null, attempt.trigger),
        h('dt', null, 'Took'), h('dd', null, `${count(attempt.milliseconds)} ms`), h('dt', null, 'Rules'), h('dd', null, count(attempt.rules)), h('dt', null, 'Hash'), h('dd', null, code(attempt.hash.slice(0, 24)))),
      attempt.text && h('pre', { class: 'code', tabindex: 0, 'aria-label': 'What is wrong' }, h('div', null, show(attempt.text, 20000)))));
    if (!attempt.comparable) return;
    const place = h('div', { class: 'list' }, h('p', { class: 'muted card' }, 'Comparing the rules and what they decide …'));
    detail.append(place);
    const change = await get(`/history/${attempt.version}/diff`, signal);
    if (chosen === attempt.time) put(place, drawChange(change));
  };

  const drawChange = change => {
    const row = (before, after) => {
      const [old, fresh] = before && after ? difference(before.text, after.text) : [before ? [[0, before.text.length, 'del']] : [], after ? [[0, after.text.length, 'ins']] : []];
      return h('tr', null, [[before, old], [after, fresh]].map(([rule, marks]) => h('td', null, rule && [code(rule.text, 1000, marks), h('br'), h('span', { class: 'muted' }, show(rule.rule, 160))])));
    };
    const rows = [...change.edited.map(edit => row(edit.before, edit.after)), ...change.removed.map(rule => row(rule, null)), ...change.added.map(rule => row(null, rule))];
    return [
      h('section', { class: 'card' }, h('h2', null, 'What it says differently'),
        rows.length ? h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Rules before and after' }, h('table', { class: 'diff' }, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'before'), h('th', { scope: 'col' }, 'after'))), h('tbody', null, rows)))
          : h('p', { class: 'muted' }, change.reordered.length ? `Rules stand in another order in ${change.reordered.length} files.` : 'The same rules in the same order.')),
      h('section', { class: 'card list' }, h('h2', null, 'What it decides differently'),
        change.groups === undefined ? h('p', { class: 'muted' }, change.not_asked ?? 'The rules could not be asked.')
          : change.groups.length === 0 ? h('p', { class: 'muted' }, `None of ${plural(change.requests, 'request')} that were made for these rules has another outcome.`)
            : [h('p', { class: 'note' }, `${count(change.changed)} of ${plural(change.requests, 'request')} that were made for these rules.`), flow(change.groups), groupList(change.groups)],
        change.not_proved > 0 && h('p', { class: 'note' }, `${plural(change.not_proved, 'rule')} could not be judged: not proved.`)),
    ];
  };
  const groupList = groups => h('ul', { class: 'list' }, groups.slice(0, 20).map(group => h('li', null,
    h('b', null, show(`${count(group.weight)} × ${group.from} → ${group.to}`, 200)), group.examples.map(one => h('p', null, code(one.request ?? '', 400), h('br'), h('span', { class: 'muted' }, show(`${one.old}  →  ${one.new}`, 500)))))));

  let shownHash = '';
  const drawCandidate = held => {
    if ((held?.hash ?? '') === shownHash && candidate.childElementCount === (held ? 1 : 0)) return;
    shownHash = held?.hash ?? '';
    if (!held) return put(candidate);
    const problem = h('p', { class: 'bad', role: 'alert' });
    const decide = async (what, button) => {
      button.disabled = true;
      const answer = await post(`/candidate/${what}?hash=${held.hash}`);
      if (!answer.ok) problem.textContent = answer.status === 409 ? 'Other rules are held by now: look at them first.' : answer.text;
      dispatchEvent(new CustomEvent('rules-refresh'));
      shownHash = '?';
      await load();
    };
    const button = (what, title, kind) => h('button', { class: kind, 'data-what': what, onclick: event => decide(what, event.target) }, title);
    put(candidate, h('section', { class: 'card held list', id: 'candidate' }, h('div', { class: 'head' }, h('h2', null, 'Rules wait for approval'), code(held.hash.slice(0, 12))),
      h('ul', null, held.reasons.map(text => h('li', null, show(text, 400))), held.remarks.map(text => h('li', { class: 'muted' }, show(text, 400)))),
      held.groups.length > 0 && [flow(held.groups), groupList(held.groups)],
      held.required_changes && h('ul', { class: 'list' }, held.required_changes.map(one => h('li', null, code(one.request, 300), ' ', show(`${one.old} → ${one.new}`, 300)))),
      h('div', { class: 'bar' }, button('approve', `Approve ${held.hash.slice(0, 12)}`, 'primary'), button('reject', 'Reject')), problem));
  };
  await load();
  addEventListener('rules-changed', load, { signal });
  every(2, load);
};
