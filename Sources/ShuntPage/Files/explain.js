// Why a URL goes where it goes, told step by step.
import { h, put, show, code, pill, plain, plural, field, difference, empty, announce } from './dom.js';
import { get, post, Problem } from './api.js';

const LIMIT = 65536;
export const explain = async (main, { query, keep, signal, status }) => {
  const reads = await get('/reads', signal);
  const first = name => query.get(name) ?? '';
  const headers = query.getAll('header').map(text => text.split(/: ?(.*)/s));
  const header = name => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
  const cookies = new Map(header('cookie').split(/; */).filter(Boolean).map(part => { const [name, value] = part.split(/=(.*)/s); return [name, value ?? '']; }));
  const known = new Set([...reads.headers, 'cookie']);
  const text = (value, more) => h('input', { type: 'text', value, spellcheck: 'false', autocomplete: 'off', maxlength: LIMIT, ...more });

  const url = text(first('url'), { placeholder: 'https://www.example.com/path?name=value', id: 'explain-url' });
  const method = h('select', { value: '' }, ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(one => h('option', { value: one, selected: one === (first('method') || 'GET') }, one)));
  const remote = text(first('remote'), { placeholder: '127.0.0.1' });
  const arguments_ = argumentsOf(first('url'));
  const groups = [
    reads.inputs.map(name => [`input.${name}`, `$${name}`, text(first(`input.${name}`))]),
    reads.headers.map(name => [name, `header ${name}`, text(header(name))]),
    reads.cookies.map(name => [name, `cookie ${name}`, text(cookies.get(name) ?? '')]),
    reads.arguments.map(name => [name, `argument ${name}`, text(arguments_.get(name) ?? '')]),
  ];
  const more = h('textarea', { rows: 2, spellcheck: 'false', placeholder: 'Name: value' });
  more.value = headers.filter(([name]) => !known.has(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`).join('\n');
  const held = h('input', { type: 'checkbox', checked: first('held') === 'true' });
  held.style.width = held.style.minHeight = 'auto';
  const story = h('section', { 'aria-label': 'What happens', class: 'list' });
  const form = h('form', { class: 'card' },
    h('div', { class: 'bar' }, field('URL', url, { class: 'grow' }), field('Method', method), h('button', { class: 'primary' }, 'Explain')),
    h('div', { class: 'fields', role: 'group', 'aria-label': 'What the rules read' }, groups.flat().map(([, label, input]) => field(label, input))),
    h('details', { open: Boolean(more.value || remote.value) }, h('summary', null, 'Address and other headers'), h('div', { class: 'fields' }, field('Address of the client', remote), field('Other headers, one a line', more))),
    (status.gate || held.checked) && h('p', { class: 'check' }, h('label', null, held, ' and with the rules that are held')));
  put(main, h('div', { class: 'head' }, h('h1', null, 'Explain'), h('p', null, 'A request is asked, and nothing is sent anywhere.')), form, story);

  const asked = () => {
    const result = new URLSearchParams();
    const values = new Map(groups[3].map(([name, , input]) => [name, input.value]));
    let target = url.value.trim();
    for (const [name, value] of values) if (value !== (argumentsOf(target).get(name) ?? '')) target = withArgument(target, name, value);
    if (target !== url.value) url.value = target;
    result.set('url', target);
    if (method.value !== 'GET') result.set('method', method.value);
    if (remote.value) result.set('remote', remote.value);
    for (const [name, , input] of groups[0]) if (input.value) result.set(name, input.value);
    for (const [name, , input] of groups[1]) if (input.value) result.append('header', `${name}: ${input.value}`);
    const cookie = groups[2].filter(([, , input]) => input.value).map(([name, , input]) => `${name}=${input.value}`).join('; ');
    if (cookie) result.append('header', `Cookie: ${cookie}`);
    for (const line of more.value.split('\n')) if (line.includes(':')) result.append('header', line.trim());
    if (held.checked) result.set('held', 'true');
    return result;
  };
  url.addEventListener('input', () => { for (const [name, , input] of groups[3]) input.value = argumentsOf(url.value).get(name) ?? ''; });
  const run = async () => {
    const request = asked();
    if (!request.get('url')) return put(story, empty('Ask about a URL', 'Of any scheme: https://…, kl://… . The steps of its way through the rules are told here.'));
    keep(request);
    // A URL may be longer than the target of a request.
    const { ok, text: told } = await post('/explain', `notations=true&${encoded(request)}`);
    if (signal.aborted) return;
    if (!ok) throw new Problem(told);
    const answer = JSON.parse(told);
    put(story, tell(answer, request), answer.held && h('section', { class: 'card held list' },
      h('h2', null, `With the held rules ${answer.held.hash.slice(0, 12)}`), outcome(answer.held.decision),
      h('p', { class: 'note' }, JSON.stringify(answer.held.decision) === JSON.stringify(answer.decision) ? 'The same as with the rules in use.' : 'Not the same as with the rules in use.'),
      h('details', null, h('summary', null, 'Its steps'), steps(answer.held, request.get('url')))));
    announce(`Decided: ${answer.decision.decision}`);
  };
  form.addEventListener('submit', event => {
    event.preventDefault();
    run().catch(problem => { if (!signal.aborted) put(story, h('p', { class: 'card bad', role: 'alert' }, show(problem.message))); });
  });
  await run();
};

// The listener takes + for itself, as URLs do.
const encoded = query => [...query].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
const queryOf = url => /^[^?#]*\?([^#]*)/.exec(url)?.[1] ?? '';
const argumentsOf = url => new Map(queryOf(url).split('&').filter(Boolean).reverse().map(part => { const [name, value] = part.split(/=(.*)/s); return [name, value ?? '']; }));
const withArgument = (url, name, value) => {
  const [, head, , , tail] = /^([^?#]*)(\?([^#]*))?(#.*)?$/s.exec(url) ?? [, url, , , ''];
  const parts = queryOf(url).split('&').filter(part => part && part.split('=')[0] !== name);
  if (value) parts.push(`${name}=${value}`);
  return head + (parts.length ? '?' + parts.join('&') : '') + (tail ?? '');
};

const outcome = decision => h('p', null, pill(decision.decision), ' ', decision.status !== undefined && h('b', null, `${decision.status} `), decision.url !== undefined && code(decision.url, 4000),
  decision.route && h('span', { class: 'muted' }, ' route ', code(decision.route, 200)), decision.reason && h('span', { class: 'bad' }, ' ', show(decision.reason, 400)));

const tell = (answer, request) => [
  h('section', { class: 'card list', id: 'outcome' }, h('div', { class: 'head' }, h('h2', null, 'Outcome'), h('p', { class: 'note' }, `version ${answer.version} of the rules`)), outcome(answer.decision),
    answer.decision.rule && h('p', { class: 'note' }, 'by ', place(answer.decision.rule)),
    h('div', { class: 'bar', role: 'group', 'aria-label': 'Copy' }, copies(answer, request).map(([title, text]) => h('button', { 'data-copy': title, 'data-text': text, onclick: event => copy(event.target, text) }, title)))),
  steps(answer, request.get('url')),
];
const place = rule => h('a', { href: `#/rules?q=${encodeURIComponent(rule)}` }, show(rule.split('/').at(-1), 160));

const copies = (answer, request) => {
  const quote = text => `'${text.replaceAll("'", `'\\''`)}'`;
  const url = request.get('url');
  const isWeb = /^https?:/i.test(url);
  const parts = ['curl', '-i'];
  if (isWeb && request.get('method')) parts.push('-X', request.get('method'));
  if (isWeb) for (const line of request.getAll('header')) parts.push('-H', quote(line));
  parts.push(quote(isWeb ? url : `${location.origin}/explain?${encoded(request)}`));
  return [['Copy link', location.href], ['Copy as curl', parts.join(' ')], ['Copy as expect', answer.notations.expect], ['Copy as test', answer.notations.test]];
};
const copy = async (button, text) => {
  const title = button.dataset.copy;
  try { await navigator.clipboard.writeText(text); button.textContent = 'Copied'; } catch { button.textContent = 'Not allowed'; }
  announce(button.textContent);
  setTimeout(() => { button.textContent = title; }, 1500);
};

// The captures in a text, where each is there once only: the trace does not say where they are.
const marks = (subject, captures) => captures.map((text, index) => [text, index])
  .filter(([text]) => text && subject.split(text).length === 2)
  .map(([text, index]) => [subject.indexOf(text), subject.indexOf(text) + text.length, `c${index % 5 + 1}`])
  .sort((a, b) => a[0] - b[0] || b[1] - a[1]);

const steps = (answer, url) => {
  const list = h('ol', { class: 'story', id: 'story' }, h('li', null, h('div', { class: 'card' }, h('h3', null, 'Asked'), code(url, LIMIT / 16))));
  let skipped = [];
  const fold = () => {
    if (!skipped.length) return;
    const one = skipped.length === 1;
    list.append(h('li', { class: 'skips' }, h('details', null, h('summary', null, `${plural(skipped.length, 'step')} did not apply`),
      h('ul', null, skipped.slice(0, 500).map(step => h('li', null, code(step.text, 300), ' ', step.rule && place(step.rule))), skipped.length > 500 && h('li', { class: 'muted' }, `and ${skipped.length - 500} more`)))));
    skipped = [];
  };
  for (const step of answer.trace) {
    if (step.result === 'skipped') { skipped.push(step); continue; }
    fold();
    if (step.kind === 'phase') { list.append(h('li', { class: 'phase' }, `${step.text === 'url' ? 'URL' : plain(step.text)} phase`)); continue; }
    if (step.kind === 'decision') continue;
    const [old, fresh] = step.before === undefined ? [[], []] : difference(step.before, step.after);
    list.append(h('li', { class: step.result ? 'hit' : '', 'data-kind': step.kind }, h('div', { class: 'card' },
      h('div', { class: 'head' }, h('span', null, code(step.text, 600)), step.result && pill(step.result), step.rule && h('span', { class: 'note' }, place(step.rule))),
      step.subject !== undefined && step.before === undefined && h('div', { class: 'change' }, h('span', null, 'looked at'), code(step.subject, 3000, marks(step.subject, step.captures ?? []))),
      step.before !== undefined && h('div', { class: 'change' },
        h('span', null, 'before'), code(step.before, 3000, step.captures?.length ? marks(step.before, step.captures) : old), h('span', null, 'after'), code(step.after, 3000, fresh)),
      step.captures?.length > 0 && h('div', { class: 'caps' }, step.captures.map((text, index) => h('span', { class: 'mono' }, `$${index + 1} = `, h('mark', { class: `c${index % 5 + 1}` }, show(text, 300) )))))));
  }
  fold();
  list.append(h('li', { class: 'end' }, h('div', { class: 'card' }, h('h3', null, 'Decided'), outcome(answer.decision))));
  return list;
};
