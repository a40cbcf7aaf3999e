// Which view is shown is said by the fragment: #/rules?q=pay&sort=-hits.
import { h, put, ago, count, show, announce } from './dom.js';
import { get } from './api.js';
import { overview } from './overview.js';
import { rules } from './rules.js';
import { explain } from './explain.js';
import { reloads } from './reloads.js';
import { routes } from './routes.js';
import { live } from './live.js';

const views = {
  overview: ['Overview', overview], rules: ['Rules', rules], explain: ['Explain', explain],
  reloads: ['Reloads', reloads], routes: ['Routes', routes], live: ['Live', live],
};
const main = document.getElementById('main');
let stop = new AbortController();
let status = null;

const place = () => {
  const [name, query] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return { name: views[name] ? name : 'overview', query: new URLSearchParams(query ?? '') };
};
// The state that a view keeps in the fragment, without another step in the browser's history.
const keep = (name, query) => history.replaceState(null, '', `#/${name}${query.size ? '?' + query : ''}`);

let shown = '';
const go = async () => {
  const { name, query } = place();
  stop.abort();
  stop = new AbortController();
  const signal = stop.signal;
  const [title, view] = views[name];
  document.title = `${title} · Shunt`;
  for (const link of document.querySelectorAll('#views a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  }
  main.removeAttribute('data-ready');
  try {
    status ??= await get('/status');
    if (signal.aborted) return;
    main.replaceChildren();
    await view(main, { query, signal, status, keep: next => keep(name, next), every: (seconds, work) => every(seconds, work, signal) });
    if (shown && shown !== name) { main.focus(); announce(title); }
    shown = name;
  } catch (problem) {
    if (signal.aborted) return;
    put(main, h('h1', null, title), h('p', { class: 'card bad', role: 'alert' }, show(problem.message)));
  }
  if (!signal.aborted) main.dataset.ready = name;
};
// Does work again and again while the page is looked at.
const every = (seconds, work, signal) => {
  const timer = setInterval(async () => {
    if (document.hidden) return;
    try { await work(); } catch (problem) { if (!signal.aborted && problem.name !== 'TypeError') throw problem; }
  }, seconds * 1000);
  signal.addEventListener('abort', () => clearInterval(timer));
};

const state = document.getElementById('state');
const tell = () => {
  const held = status.gate ? 'Rules wait for approval' : status.stale ? 'The files are not in use' : status.last_known_good ? 'An old copy serves' : '';
  put(state, h('b', null, h('span', { class: `dot ${held ? (status.gate ? 'warn' : 'bad') : ''}` }), held || 'In use'),
    `version ${status.version} · ${count(status.rules)} rules`, h('br'), `loaded ${ago(status.loaded)}`);
};
const refresh = async () => {
  const before = status;
  try { status = await get('/status'); } catch { return put(state, h('b', null, h('span', { class: 'dot bad' }), 'No answer')); }
  tell();
  const change = text => { announce(text); dispatchEvent(new CustomEvent('rules-changed')); };
  if (before && before.version !== status.version) change(`Version ${status.version} of the rules is in use`);
  else if (before && before.failures !== status.failures) change('Rules were not put into use');
};

put(document.getElementById('views'), Object.entries(views).map(([name, [title]]) =>
  h('li', null, h('a', { href: `#/${name}`, 'data-view': name }, title))));
document.getElementById('skip').addEventListener('click', event => { event.preventDefault(); main.focus(); });
addEventListener('hashchange', go);
addEventListener('rules-refresh', refresh);
await refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 1000);
go();
