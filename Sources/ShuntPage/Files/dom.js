// Builds elements. Text is only ever set as text: rules and URLs are hostile.

// `h('p.note#told', { title }, 'text', element, …)`: a tag with classes and an id, attributes where there are any, children.
const fill = (make, selector, rest) => {
  const [, tag, classes, id] = /^(\w+)([^#]*)#?(.*)$/.exec(selector);
  const element = make(tag);
  const attributes = rest[0]?.constructor === Object ? rest.shift() : {};
  if (classes) attributes.class = classes.replaceAll('.', ' ').trim();
  if (id) attributes.id = id;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : plain(value));
  }
  return put(element, rest);
};
export const h = (selector, ...rest) => fill(tag => document.createElement(tag), selector, rest);
export const s = (selector, ...rest) => fill(tag => document.createElementNS('http://www.w3.org/2000/svg', tag), selector, rest);
export const put = (element, ...children) => {
  element.replaceChildren(...children.flat(9).filter(child => child || child === 0));
  return element;
};

// What a reader does not see, or what turns round what is read.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const name = character => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
export const plain = text => String(text).replace(unseen, name);

// A text with marks, cut to what anybody reads; `marks` are ranges [start, end, selector of an element].
export const show = (text, limit = 2000, marks = []) => {
  text = String(text);
  const end = Math.min(text.length, limit);
  const piece = (from, to) => text.slice(from, to).split(new RegExp(`(${unseen.source})`, 'u')).map((part, index) => index % 2 ? h('span.ctl', name(part)) : part);
  const parts = [];
  let at = 0;
  for (const [from, to, selector] of marks) {
    if (from < at || to > end) continue;
    parts.push(piece(at, from), h(selector, piece(from, to)));
    at = to;
  }
  parts.push(piece(at, end), end < text.length && h('span.cut', ` … ${count(text.length - end)} more characters`));
  const result = document.createDocumentFragment();
  return put(result, parts);
};
export const code = (...text) => h('code', show(...text));

const numbers = new Intl.NumberFormat('en');
export const count = number => numbers.format(number);
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`;
export const ago = time => {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(time)) / 1000));
  const [unit, size] = [['d', 86400], ['h', 3600], ['min', 60]].find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / size)} ${unit} ago`;
};
export const duration = microseconds => {
  const [unit, size] = microseconds < 1000 ? ['µs', 1] : microseconds < 1e6 ? ['ms', 1e3] : ['s', 1e6];
  return `${+(microseconds / size).toPrecision(3)} ${unit}`;
};

// What views are made of.
export const title = (text, ...more) => h('div.head', h('h1', text), more.map(one => one.nodeType ? one : h('p', one)));
export const card = (text, ...children) => h('section.card.list', h('h2', text), children);
export const empty = (text, more) => h('div.empty.card', h('b', text), more);
export const failure = problem => h('p.card.bad', { role: 'alert' }, show(problem.message));
export const facts = pairs => h('dl.facts', pairs.filter(Boolean).map(([term, ...text]) => [h('dt', term), h('dd', text)]));
export const pill = kind => h(`span.pill${/^[a-z]+$/.test(kind) ? `.k-${kind}.s-${kind}` : ''}`, show(kind, 40));
export const last = path => path.split('/').at(-1);
export const rulesLink = (place, limit = 160) => h('a', { href: `#/rules?q=${encodeURIComponent(place)}` }, show(last(place).replace(/:$/, ''), limit));
export const input = (value, placeholder, more) => h('input', { type: 'text', value, placeholder, spellcheck: 'false', autocomplete: 'off', maxlength: 65536, ...more });
export const field = (label, control, selector = 'div') => {
  control.id ||= `field-${++fields}`;
  return h(selector, h('label', { for: control.id }, show(label, 80)), control);
};
let fields = 0;
// A region that scrolls is reached by the keyboard, and says what it is.
export const region = (selector, label, ...children) => h(selector, { tabindex: 0, role: 'region', 'aria-label': label }, children);
export const announce = text => { document.getElementById('announce').textContent = plain(text); };
// What two texts have not in common: ranges of what differs.
export const difference = (before, after) => {
  let start = 0, end = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [[before, 'del'], [after, 'ins']].map(([text, kind]) => text.length > start + end ? [[start, text.length - end, kind]] : []);
};
