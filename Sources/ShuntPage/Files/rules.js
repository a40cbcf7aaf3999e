// The rules that run, of which only the rows in view are in the document.
import { h, put, ago, count, plural, show, code, pill, plain, field, empty, announce } from './dom.js';
import { get } from './api.js';
import { spark } from './charts.js';

const ROW = 36, BLOCK = 100;
const columns = [['place', 'Place'], ['text', 'Rule'], ['hits', 'Hits', true], ['last', 'Last hit', true], ['findings', 'Findings', true]];
const filters = [['never-hit', 'never hit'], ['not-hit-30-days', 'not hit for 30 days'], ['findings', 'with findings'], ['changed', 'changed in the last reload']];

export const rules = async (main, { query, keep, signal, every }) => {
  let list = { found: 0, all: 0 }, blocks = new Map(), open = query.get('open'), generation = 0, closing = null;
  const search = h('input', { type: 'search', value: query.get('q') ?? '', placeholder: 'Text or file:line', spellcheck: 'false' });
  const number = h('p', { role: 'status' });
  const buttons = filters.map(([name, title]) => h('button', { 'aria-pressed': has(name), 'data-filter': name, onclick: () => toggle(name) }, title));
  const heads = columns.map(([name, title, isNumber]) => h('div', { role: 'columnheader', class: isNumber ? 'num' : '' }, h('button', { onclick: () => sort(name) }, title)));
  const rows = h('div', { class: 'rows', role: 'rowgroup' });
  const table = h('div', { class: 'table', role: 'table', 'aria-label': 'Rules', tabindex: 0 }, h('div', { role: 'rowgroup' }, h('div', { class: 'row top', role: 'row' }, heads)), rows);
  const nothing = h('div');
  const detail = h('aside', { class: 'detail', 'aria-label': 'Rule', hidden: true });
  const split = h('div', { class: 'split' }, h('div', null, table, nothing), detail);
  put(main, h('div', { class: 'head' }, h('h1', null, 'Rules'), number),
    h('div', { class: 'bar' }, field('Search', search, { class: 'grow' }), h('div', { class: 'bar', role: 'group', 'aria-label': 'Filters' }, buttons)), split);

  function has(name) { return (query.get('filter') ?? '').split(',').includes(name); }
  function set(name, value) {
    if (value) query.set(name, value); else query.delete(name);
    keep(query);
  }
  function toggle(name) {
    set('filter', filters.map(([one]) => one).filter(one => has(one) !== (one === name)).join(','));
    for (const button of buttons) button.setAttribute('aria-pressed', has(button.dataset.filter));
    load();
  }
  function sort(name) {
    const before = query.get('sort') ?? 'place';
    const numbers = columns.find(([one]) => one === name)[2];
    set('sort', before === name ? `-${name}` : before === `-${name}` ? name : numbers ? `-${name}` : name);
    load();
  }
  const path = after => {
    const asked = new URLSearchParams({ limit: BLOCK, after });
    for (const name of ['q', 'sort', 'filter']) if (query.get(name)) asked.set(name, query.get(name));
    return `/rules?${asked}`;
  };
  async function load(stays) {
    const mine = ++generation;
    const first = stays ? Math.floor(table.scrollTop / ROW / BLOCK) * BLOCK : 0;
    const answer = await get(path(first), signal);
    if (mine !== generation) return;
    list = answer;
    blocks = new Map([[first, answer.rules]]);
    if (!stays) table.scrollTop = 0;
    const [name, down] = (query.get('sort') ?? 'place').startsWith('-') ? [query.get('sort').slice(1), true] : [query.get('sort') ?? 'place', false];
    heads.forEach((head, index) => head.setAttribute('aria-sort', columns[index][0] !== name ? 'none' : down ? 'descending' : 'ascending'));
    number.textContent = list.found === list.all ? plural(list.all, 'rule') : `${count(list.found)} of ${plural(list.all, 'rule')}`;
    table.setAttribute('aria-rowcount', list.found + 1);
    rows.style.height = `${list.found * ROW}px`;
    table.hidden = list.found === 0;
    put(nothing, list.found === 0 && empty('No rule matches', list.all ? 'Take a word or a filter away.' : 'The files have no rules.'));
    draw();
    performance.mark('rules-shown');
  }
  const wanted = new Set();
  let drawn = new Map();
  const replace = (old, fresh) => {
    if (!fresh) return old.remove();
    const isFocused = old.contains(document.activeElement);
    old.replaceWith(fresh);
    if (isFocused) fresh.querySelector('button')?.focus({ preventScroll: true });
  };
  function draw() {
    const from = Math.max(0, Math.floor(table.scrollTop / ROW) - 5), to = Math.min(list.found, from + Math.ceil(table.clientHeight / ROW) + 12);
    const visible = new Map();
    for (let index = from; index < to; index++) {
      const start = Math.floor(index / BLOCK) * BLOCK, rule = blocks.get(start)?.[index - start];
      if (!rule && !blocks.has(start)) fetchBlock(start);
      // A row that says the same stays the same element, so that nobody loses the focus or a click.
      const key = JSON.stringify([index, rule, rule?.id === open, rule?.last_hit && ago(rule.last_hit)]);
      const before = drawn.get(index);
      visible.set(index, before?.key === key ? before : { key, row: line(rule, index) });
    }
    for (const [index, { row }] of drawn) if (visible.get(index)?.row !== row) replace(row, visible.get(index)?.row);
    for (const { row } of visible.values()) if (!row.isConnected) rows.append(row);
    drawn = visible;
  }
  async function fetchBlock(start) {
    if (wanted.has(start)) return;
    wanted.add(start);
    const mine = generation;
    try {
      const answer = await get(path(start), signal);
      if (mine === generation) { blocks.set(start, answer.rules); draw(); }
    } finally { wanted.delete(start); }
  }
  function line(rule, index) {
    const row = h('div', { class: `row${rule && rule.id === open ? ' open' : ''}`, role: 'row', 'aria-rowindex': index + 2, 'data-index': index });
    row.style.top = `${index * ROW}px`;
    if (!rule) { row.append(h('div', { role: 'cell', class: 'muted' }, '…')); return row; }
    const cell = (kind, ...children) => h('div', { role: 'cell', class: kind }, children);
    row.append(
      cell('mono muted', show(short(rule.rule), 120)),
      cell('', h('button', { class: 'open-rule', 'aria-expanded': rule.id === open, title: rule.text.slice(0, 500), onclick: () => choose(rule.id) }, show(rule.text, 300))),
      cell('num', rule.hits === undefined ? h('span', { class: 'muted', title: 'It changes requests for the rules after it; decisions are counted.' }, 'changes') : count(rule.hits)),
      cell('num muted', rule.last_hit ? ago(rule.last_hit) : rule.hits === 0 ? 'never' : ''),
      cell('num', rule.findings ? h('span', { class: 'warn' }, count(rule.findings)) : '', rule.changed && h('span', { class: 'pill k-redirect', title: 'changed in the last reload' }, 'new')));
    return row;
  }
  const short = place => place.split('/').at(-1).replace(/:\d+$/, '');

  async function choose(id) {
    open = id;
    set('open', id);
    closing?.abort();
    closing = new AbortController();
    signal.addEventListener('abort', () => closing.abort());
    detail.hidden = false;
    split.classList.add('has-detail');
    draw();
    const mine = closing.signal, hits = [];
    const draft = await get(`/rules/${encodeURIComponent(id)}`, mine);
    if (mine.aborted) return;
    const chart = h('div');
    const rate = () => {
      put(chart, spark(hits.slice(1).map((value, index) => value - hits[index]), 'Hits every two seconds since the rule was opened'));
    };
    put(detail, card(draft, chart));
    announce(`Rule ${draft.rule}`);
    detail.querySelector('h2').focus({ preventScroll: true });
    if (draft.hits === undefined) return;
    hits.push(draft.hits);
    rate();
    const timer = setInterval(async () => {
      if (document.hidden) return;
      const now = await get(`/rules/${encodeURIComponent(id)}`, mine).catch(() => null);
      if (!now || mine.aborted) return;
      hits.push(now.hits);
      if (hits.length > 61) hits.shift();
      detail.querySelector('[data-hits]').textContent = count(now.hits);
      rate();
    }, 2000);
    mine.addEventListener('abort', () => clearInterval(timer));
  }
  function close() {
    const before = rows.querySelector('.row.open button');
    closing?.abort();
    open = null;
    set('open', '');
    detail.hidden = true;
    split.classList.remove('has-detail');
    draw();
    (rows.querySelector(`[data-index="${before?.closest('.row').dataset.index}"] button`) ?? table).focus();
  }
  const card = (rule, chart) => h('div', { class: 'card list' },
    h('div', { class: 'head' }, h('h2', { tabindex: -1 }, show(short(rule.rule), 120)), h('button', { class: 'quiet', onclick: close, 'aria-label': 'Close the rule' }, 'Close')),
    h('div', { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'The rule with its neighbours' }, (rule.lines ?? []).map((text, index) => {
      const number = rule.first_shown + index;
      return h('div', { class: number >= rule.line && number <= rule.last_line ? 'here' : '' }, h('span', { class: 'n' }, number), code(text || ' ', 400));
    })),
    h('dl', { class: 'facts' },
      rule.hits === undefined ? [h('dt', null, 'Hits'), h('dd', null, 'not counted: it changes requests, and decides none')]
        : [h('dt', null, 'Hits'), h('dd', { 'data-hits': true }, count(rule.hits)), h('dt', null, 'Last hit'), h('dd', null, rule.last_hit ? ago(rule.last_hit) : 'never'), h('dt', null, 'Counted since'), h('dd', null, ago(rule.counted_since))],
      h('dt', null, 'File'), h('dd', null, code(rule.file, 300))),
    rule.hits !== undefined && chart,
    h('h3', null, 'Example'),
    rule.example ? h('div', { class: 'list' }, h('p', null, code(rule.example.shown, 600)), h('p', { class: 'muted' }, '→ ', show(rule.example.decision, 300)),
      h('p', null, h('a', { class: 'button', href: exampleLink(rule.example.request) }, 'Explain it'))) : h('p', { class: 'muted' }, `No request reaches it that is known: ${rule.no_example ?? 'nobody looked'}.`),
    h('h3', null, 'Findings'),
    rule.finding_list ? h('ul', { class: 'list' }, rule.finding_list.map(one => h('li', null, pill(one.severity), ' ', show(one.message, 400),
      one.suggestion && h('p', { class: 'muted' }, show(one.suggestion, 400)), one.witness && h('p', null, code(one.witness, 400))))) : h('p', { class: 'muted' }, list.has_findings ? 'None.' : 'Nobody has looked yet: the overview has lint look.'));

  search.addEventListener('input', () => { set('q', search.value); load(); });
  table.addEventListener('scroll', () => requestAnimationFrame(draw), { signal });
  addEventListener('resize', draw, { signal });
  table.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target.closest('.rows .row');
    if (!step || !row) return;
    event.preventDefault();
    const next = Math.min(list.found - 1, Math.max(0, +row.dataset.index + step));
    const top = next * ROW;
    if (top < table.scrollTop) table.scrollTop = top;
    if (top + ROW > table.scrollTop + table.clientHeight - 40) table.scrollTop = top + ROW - table.clientHeight + 40;
    draw();
    rows.querySelector(`[data-index="${next}"] button`)?.focus({ preventScroll: true });
  });
  addEventListener('rules-changed', () => load(true), { signal });
  await load();
  if (open) choose(open).catch(() => close());
  every(2, () => load(true));
};

// The view Explain with the fields of a request as `shunt run` writes it.
export const exampleLink = request => {
  const query = new URLSearchParams();
  query.set('url', request.url ?? `http://${request.host ?? 'localhost'}${request.target}`);
  if (request.method) query.set('method', request.method);
  if (request.remote_addr) query.set('remote', request.remote_addr);
  for (const [name, value] of request.headers ?? []) query.append('header', `${plain(name)}: ${value}`);
  for (const [name, value] of Object.entries(request.input ?? {})) query.append(`input.${name}`, value);
  return `#/explain?${query}`;
};
