// The routes as a tree; a URL lights up its way.
import { h, s, put, show, code, plain, count, plural, field, empty, announce } from './dom.js';
import { get } from './api.js';

const MOST = 400, ROW = 26, STEP = 24;
export const routes = async (main, { query, keep, signal, every }) => {
  let answer = await get('/routes', signal);
  const url = h('input', { type: 'text', value: query.get('url') ?? '', placeholder: 'kl://user/42', spellcheck: 'false', maxlength: 65536 });
  const told = h('p', { role: 'status', class: 'note' });
  const picture = h('div', { class: 'card scroll', tabindex: 0, role: 'region', 'aria-label': 'The tree of the routes' });
  const form = h('form', { class: 'bar' }, field('URL', url, { class: 'grow' }), h('button', { class: 'primary' }, 'Light up its way'));
  put(main, h('div', { class: 'head' }, h('h1', null, 'Routes'), h('p', null, plural(answer.routes.length, 'route'))));
  if (!answer.routes.length) return main.append(empty('No routes', 'A route directive in the rule files names what serves a URL.'));
  main.append(form, told, picture);
  let lit = null;
  const draw = () => put(picture, tree(answer.routes, lit), answer.routes.length > MOST && h('p', { class: 'note' }, `The first ${MOST} of ${count(answer.routes.length)} routes.`));
  const find = async () => {
    lit = null;
    const text = url.value.trim();
    if (text) {
      query.set('url', text);
      keep(query);
      const { decision } = await get(`/explain?url=${encodeURIComponent(text)}`, signal);
      lit = decision.route ?? null;
      put(told, lit ? ['Route ', code(lit, 200), decision.url && [' for ', code(decision.url, 1000)]] : [show(`No route: ${decision.decision}${decision.reason ? ', ' + decision.reason : ''}`, 500)]);
      announce(told.textContent);
    } else told.textContent = '';
    draw();
  };
  form.addEventListener('submit', event => { event.preventDefault(); find(); });
  await find();
  every(2, async () => { answer = await get('/routes', signal); draw(); });
};

const segments = pattern => {
  const [, root, rest] = /^([a-z][\w+.-]*:\/\/[^/]*|)(.*)$/is.exec(pattern);
  return [...(root ? [root] : []), ...rest.split('/').filter(Boolean).map(part => `/${part}`)];
};
const tree = (list, lit) => {
  const root = { children: new Map(), routes: [] };
  for (const route of list.slice(0, MOST)) {
    let node = root;
    for (const part of segments(route.pattern)) {
      if (!node.children.has(part)) node.children.set(part, { name: part, children: new Map(), routes: [] });
      node = node.children.get(part);
    }
    node.routes.push(route);
  }
  const rows = [];
  const walk = (node, depth, parent) => {
    for (const child of node.children.values()) {
      const row = { child, depth, parent, isLit: child.routes.some(route => route.name === lit), hits: child.routes.reduce((sum, route) => sum + (route.hits ?? 0), 0) };
      rows.push(row);
      row.y = rows.length * ROW - 8;
      walk(child, depth + 1, row);
    }
  };
  walk(root, 0, null);
  for (const row of rows.toReversed()) if (row.parent) { row.parent.isLit ||= row.isLit; row.parent.hits += row.hits; }
  const most = Math.max(1, ...rows.map(row => row.hits));
  const width = 860;
  const lines = rows.map(row => {
    const x = 14 + row.depth * STEP;
    const routes = row.child.routes;
    return s('g', { class: `${row.isLit ? 'lit' : ''} ${routes.length ? 'leaf' : ''}` },
      row.parent && s('path', { d: `M${x - STEP} ${row.parent.y + 5}V${row.y - 6}Q${x - STEP} ${row.y} ${x - STEP + 8} ${row.y}H${x - 5}` }),
      s('circle', { cx: x, cy: row.y, r: 4 }), s('text', { x: x + 12, y: row.y + 4 }, plain(row.child.name).slice(0, 80)),
      routes.length > 0 && s('text', { class: 'side', x: 470, y: row.y + 4 }, plain(routes.map(route => `${route.methods ?? ''} ${route.name === route.pattern ? '' : route.name}`.trim()).join(', ')).slice(0, 60)),
      s('rect', { class: 'f-forward', x: 700, y: row.y - 5, width: 90 * row.hits / most, height: 10, rx: 2 }),
      s('text', { class: 'side', x: width, y: row.y + 4, 'text-anchor': 'end' }, count(row.hits)));
  });
  const picture = s('svg', { class: 'tree', width, height: rows.length * ROW + 12, viewBox: `0 0 ${width} ${rows.length * ROW + 12}`, role: 'img', 'aria-label': `Routes: ${list.slice(0, 50).map(route => `${plain(route.pattern)}, ${route.hits ?? 0} hits`).join('; ')}` }, lines);
  return picture;
};
