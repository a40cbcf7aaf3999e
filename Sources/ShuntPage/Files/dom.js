// Builds elements. Text is only ever set as text: rules and URLs are hostile.
const SVG = 'http://www.w3.org/2000/svg';
const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : plain(value));
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return element;
};
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const put = (element, ...children) => element.replaceChildren(...children.flat(9).filter(Boolean));

// What a reader does not see, or what turns round what is read.
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const name = character => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
export const plain = text => String(text).replace(unseen, name);

// A text with marks, cut to what anybody reads; `marks` are ranges [start, end, class].
export const show = (text, limit = 2000, marks = []) => {
  text = String(text);
  const end = Math.min(text.length, limit);
  const result = document.createDocumentFragment();
  const part = (from, to, target) => {
    let at = from;
    const piece = text.slice(from, to);
    for (const found of piece.matchAll(unseen)) {
      if (from + found.index > at) target.append(text.slice(at, from + found.index));
      target.append(h('span', { class: 'ctl' }, name(found[0])));
      at = from + found.index + found[0].length;
    }
    if (at < to) target.append(text.slice(at, to));
  };
  let at = 0;
  for (const [from, to, kind] of marks) {
    if (from < at || to > end) continue;
    part(at, from, result);
    const mark = kind === 'ins' || kind === 'del' ? h(kind) : h('mark', { class: kind });
    part(from, to, mark);
    result.append(mark);
    at = to;
  }
  part(at, end, result);
  if (end < text.length) result.append(h('span', { class: 'cut' }, ` … ${count(text.length - end)} more characters`));
  return result;
};
export const code = (text, limit, marks) => h('code', null, show(text, limit, marks));

const numbers = new Intl.NumberFormat('en');
export const count = number => numbers.format(number);
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`;
export const ago = (time, now = Date.now()) => {
  const seconds = Math.max(0, Math.round((now - new Date(time)) / 1000));
  for (const [unit, size] of [['d', 86400], ['h', 3600], ['min', 60]]) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  }
  return `${seconds} s ago`;
};
export const duration = microseconds =>
  microseconds < 1000 ? `${Math.round(microseconds)} µs`
    : microseconds < 1e6 ? `${+(microseconds / 1000).toPrecision(3)} ms` : `${+(microseconds / 1e6).toPrecision(3)} s`;
export const pill = kind => h('span', { class: `pill k-${/^[a-z]+$/.test(kind) ? kind : ''} s-${/^[a-z]+$/.test(kind) ? kind : ''}` }, show(kind, 40));
export const empty = (title, text) => h('div', { class: 'empty card' }, h('b', null, title), text);
export const announce = text => { document.getElementById('announce').textContent = plain(text); };
export const field = (label, input, attributes) => {
  input.id ||= `field-${++fields}`;
  return h('div', attributes, h('label', { for: input.id }, show(label, 80)), input);
};
let fields = 0;
// The end of a text that two have not in common: ranges of what differs.
export const difference = (before, after) => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [[[start, before.length - end, 'del']], [[start, after.length - end, 'ins']]].map(list => list.filter(([a, b]) => b > a));
};
