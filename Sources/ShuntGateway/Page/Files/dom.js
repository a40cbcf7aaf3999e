// Builds elements. Text is only ever set as text: rules and URLs are hostile.

// `h('p.note#told', { title }, 'text', element, …)`: a tag (or a div) with classes and an id, attributes if any, children.
const fill = (space, selector, ...rest) => {
	const [, tag, classes, id] = /^(\w*)([^#]*)#?(.*)$/.exec(selector)
	const element = document.createElementNS('http://www.w3.org/' + space, tag || 'div')
	const attributes = rest[0]?.constructor === Object ? rest.shift() : {}
	if (classes) attributes.class = classes.replaceAll('.', ' ').trim()
	if (id) attributes.id = id
	for (const [name, value] of Object.entries(attributes)) {
		if (value == null || (value === false && !name.startsWith('aria-'))) continue
		if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
		else if (name === 'value') element.value = value
		else element.setAttribute(name, value === true ? '' : plain(value))
	}
	return put(element, rest)
}
export const h = (...rest) => fill('1999/xhtml', ...rest)
export const s = (...rest) => fill('2000/svg', ...rest)
export const put = (element, ...children) => {
	element.replaceChildren(...children.flat(9).filter(child => child || child === 0))
	return element
}

// What a reader does not see, or what turns round what is read.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2065\u3164\uffa0]/gu
const name = character => 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')
export const plain = text => String(text).replace(unseen, name)

// A text, cut to what anybody reads; `marks` are ranges [start, end, selector of an element].
export const show = (text, limit = 400, marks = []) => {
	text = String(text)
	const end = Math.min(text.length, limit)
	const piece = (from, to) => text.slice(from, to).split(new RegExp(`(${unseen.source})`, 'u')).map((part, index) => index % 2 ? h('span.ctl', name(part)) : part)
	const parts = []
	let at = 0
	for (const [from, to, selector] of marks) {
		if (from < at || to > end) continue
		parts.push(piece(at, from), h(selector, piece(from, to)))
		at = to
	}
	parts.push(piece(at, end), end < text.length && h('span.cut', ` … ${count(text.length - end)} more characters`))
	return put(document.createDocumentFragment(), parts)
}
// Diagnostics: messages wrap; lines of a rule file, which begin with a space, keep the caret below its column.
export const problems = text => region('pre.code', 'Problems', text.trimEnd().split('\n').slice(0, 1000).map(line =>
	h(/^\S/.test(line) ? 'div.message' : 'div', show(line || ' ', 2000))))
export const code = (...text) => h('code', show(...text))

const numbers = new Intl.NumberFormat('en')
export const count = number => numbers.format(number)
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`
export const ago = time => {
	const seconds = Math.max(0, Math.round((Date.now() - new Date(time)) / 1000))
	const [unit, size] = [['d', 86400], ['h', 3600], ['min', 60]].find(([, size]) => seconds >= size) ?? ['s', 1]
	return `${Math.floor(seconds / size)} ${unit} ago`
}
export const duration = microseconds => {
	const [unit, size] = microseconds < 1000 ? ['µs', 1] : microseconds < 1e6 ? ['ms', 1e3] : ['s', 1e6]
	return `${+(microseconds / size).toPrecision(3)} ${unit}`
}

// What views are made of.
export const title = (text, ...more) => h('.head', h('h1', text), more.map(one => one.nodeType ? one : h('p', one)))
export const card = (text, ...children) => h('section.card.list', h('h2', text), children)
export const items = (all, most, make) => h('ul.list', all.slice(0, most).map(one => h('li', make(one))), all.length > most && h('li.muted', `and ${count(all.length - most)} more`))
export const headings = names => h('thead', h('tr', names.map(name => h('th', { scope: 'col' }, name))))
export const empty = (text, more) => h('.empty.card', h('b', text), more)
export const failure = problem => h('p.card.bad', { role: 'alert' }, show(problem.message, 2000))
export const facts = pairs => h('dl.facts', pairs.filter(Boolean).map(([term, ...text]) => [h('dt', term), h('dd', text)]))
export const pill = kind => h(`span.pill${/^[a-z]+$/.test(kind) ? `.k-${kind}` : ''}`, show(kind))
export const last = path => path.split('/').at(-1)
export const rulesLink = place => h('a', { href: `#/rules?q=${encodeURIComponent(place)}` }, show(last(place).replace(/:$/, '')))
export const input = (value, placeholder, more) => h('input', { type: 'text', value, placeholder, spellcheck: 'false', autocomplete: 'off', maxlength: 65536, ...more })
export const field = (label, control, selector = '') => {
	control.id ||= `field-${++fields}`
	return h(selector, h('label', { for: control.id }, show(label)), control)
}
let fields = 0
// What scrolls is reached by the keyboard, and says what it is.
export const region = (selector, label, ...children) => h(selector, { tabindex: 0, role: 'region', 'aria-label': label }, children)
export const $ = id => document.getElementById(id)
export const announce = text => { $('announce').textContent = plain(text) }
// Where two texts differ.
export const difference = (before, after) => {
	let start = 0, end = 0
	while (start < before.length && start < after.length && before[start] === after[start]) start++
	while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
	return [[before, 'del'], [after, 'ins']].map(([text, kind]) => text.length > start + end ? [[start, text.length - end, kind]] : [])
}
