import { h, put, show, code, count, pill, plain, plural, problems, field, input, title, card, items, difference, empty, failure, rulesLink, announce } from './dom.js'
import { get, post } from './api.js'

export const explain = async (main, { query, keep, signal, status }) => {
	const reads = await get('/reads', signal)
	const first = name => query.get(name) ?? ''
	const headers = query.getAll('header').map(text => text.split(/: ?(.*)/s))
	const header = name => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
	const cookies = pairs(header('cookie').split(/; */))

	const url = input(first('url'), 'https://www.example.com/path?name=value', { id: 'explain-url' })
	const method = h('select', ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(one => h('option', { value: one, selected: one === first('method') }, one)))
	const remote = input(first('remote'), '127.0.0.1')
	const fields = (names, label, value) => names.map(name => ({ name, label: label + name, input: input(value(name) ?? '') }))
	const inputs = fields(reads.inputs, '$', name => first(`input.${name}`))
	const headerFields = fields(reads.headers, 'header ', header)
	const cookieFields = fields(reads.cookies, 'cookie ', name => cookies.get(name))
	const argumentFields = fields(reads.arguments, 'argument ', name => argumentsOf(first('url')).get(name))
	const more = h('textarea', { rows: 2, spellcheck: 'false', placeholder: 'Name: value', value: headers
		.filter(([name]) => ![...reads.headers, 'cookie'].includes(name.toLowerCase())).map(([name, value]) => `${name}: ${value}`).join('\n') })
	const time = input(first('time'), 'now, or 2026-11-28T06:00:00+01:00')
	const whyNot = input(first('why_not'), '10-app.conf:7')
	const draft = draftOf(signal)
	const held = h('input', { type: 'checkbox', checked: first('held') === 'true' })
	const story = h('section.list', { 'aria-label': 'Steps' })
	const form = h('form.card.list',
		h('.bar', field('URL', url, '.grow'), field('Method', method), h('button.primary', 'Explain')),
		h('.fields', { role: 'group', 'aria-label': 'Inputs that the rules read' }, [inputs, headerFields, cookieFields, argumentFields].flat().map(one => field(one.label, one.input)),
			field('Time', time), field('Why not this rule', whyNot)),
		h('details', { open: Boolean(more.value || remote.value) }, h('summary', 'Address and other headers'),
			h('.fields', field('Address of the client', remote), field('Other headers, one a line', more))),
		draft.form,
		(status.gate || held.checked) && h('label', held, ' Also with the held rules'))
	put(main, title('Explain', 'Evaluates the rules only. Nothing is sent.'), form, story, expressionCard(signal))

	const asked = () => {
		let target = url.value.trim()
		for (const { name, input } of argumentFields) if (input.value !== (argumentsOf(target).get(name) ?? '')) target = withArgument(target, name, input.value)
		url.value = target
		const cookie = cookieFields.filter(one => one.input.value).map(one => `${one.name}=${one.input.value}`).join('; ')
		return new URLSearchParams([
			['url', target], ['method', method.value === 'GET' ? '' : method.value], ['remote', remote.value], ['time', time.value.trim()], ['why_not', whyNot.value.trim()],
			...inputs.map(({ name, input }) => [`input.${name}`, input.value]),
			...headerFields.map(({ name, input }) => ['header', input.value && `${name}: ${input.value}`]),
			['header', cookie && `Cookie: ${cookie}`],
			...more.value.split('\n').map(line => ['header', line.includes(':') ? line.trim() : '']), ['held', held.checked ? 'true' : ''],
		].filter(([, value]) => value))
	}
	url.oninput = () => { for (const { name, input } of argumentFields) input.value = argumentsOf(url.value).get(name) ?? '' }
	const run = async () => {
		const request = asked()
		if (!request.get('url')) return put(story, empty('Enter a URL', 'Any scheme works: https://…, kl://… . Each step through the rules appears here.'))
		keep(request)
		// A URL may be longer than the target of a request.
		const answer = await (await post('/explain', encoded([['notations', 'true'], ...request, ...draft.arguments()]))).json()
		if (signal.aborted) return
		const others = (other, name) => other && h('section.card.held.list', h('h2', name), other.decision ? [outcome(other.decision),
			h('p.note', `${sameDecision(other, answer) ? 'Same as' : 'Different from'} the outcome with the rules in use.`), h('details', h('summary', 'Steps'), steps(other, request.get('url')))]
			: problems(other.text))
		put(story, others(answer.draft, 'With the draft'), others(answer.held, `With the held rules ${answer.held?.hash.slice(0, 12)}`),
			answer.why_not && card('Why not this rule', items(answer.why_not, 20, reasons)), tell(answer, request.get('url')))
		announce(`Decision: ${answer.decision.decision}`)
	}
	form.onsubmit = event => {
		event.preventDefault()
		run().catch(problem => { if (!signal.aborted) put(story, failure(problem)) })
	}
	await run()
}

const sameDecision = (one, other) => JSON.stringify({ ...one.decision, rule: '' }) === JSON.stringify({ ...other.decision, rule: '' })
const reasons = ({ rule, text, reason, subject, decided_by: by, chosen, failed_tests: failed, nearest, covers, obstacle }) => [
	rulesLink(`${rule.file}:${rule.line}:`), ' ', code(text), h('br'),
	reason === 'applied' ? 'It applied.' : reason === 'skipped' ? ['It was tried and did not match', subject != null && [': ', code(subject)]]
		: ['It was not reached', by && [': ', rulesLink(by), ' decided before'], '.'],
	failed.map(test => h('p', 'Not true: ', code(test))), reason === 'not reached' && chosen.map(one => h('p.muted', 'Chosen: ', code(one))),
	nearest ? h('p', 'The nearest request that reaches it: ', code(nearest.url ?? `${nearest.host ?? ''}${nearest.target ?? ''}`, 2000), ' ', h('span.muted', show(JSON.stringify(nearest))))
		: covers ? h('p', 'No request reaches it. These rules take all: ', covers.map(one => [rulesLink(one), ' ']))
			: obstacle && h('p.muted', show(obstacle))]

// Another text of a rule file, which is explained and never saved.
const draftOf = signal => {
	const file = h('select'), text = h('textarea.mono', { rows: 12, spellcheck: 'false', 'aria-label': 'Text of the draft' }), problem = h('p.bad', { role: 'alert' })
	const load = async () => {
		put(problem)
		text.value = file.value === NEW ? '' : (await get(`/files?name=${encodeURIComponent(file.value)}`, signal)).text
	}
	const begin = async () => {
		if (file.length) return
		put(file, [...(await get('/files', signal)).files, NEW].map(name => h('option', { value: name }, show(name === NEW ? 'a new file, after the others' : name))))
		await load()
	}
	const tried = work => work().catch(error => { if (!signal.aborted) put(problem, show(error.message)) })
	file.onchange = () => tried(load)
	const form = h('details', { ontoggle: () => form.open && tried(begin) }, h('summary', 'Draft: try a change of the rules without saving it'),
		field('File', file), text, h('p.note', 'Explain shows the outcomes of the draft and of the rules in use. Nothing is saved.'), problem)
	return { form, arguments: () => form.open && file.length ? [['file', file.value], ['draft', text.value]] : [] }
}
const NEW = 'zz-draft.conf'

const expressionCard = signal => {
	const expression = input('', '^/item/(\\d+)'), subject = input('', '/item/42'), caseless = h('input', { type: 'checkbox' }), result = h('div', { role: 'status' })
	const run = async () => {
		const answer = await (await post('/match', encoded([['expression', expression.value], ['subject', subject.value], ['caseless', caseless.checked]]))).json()
		if (signal.aborted) return
		const groups = answer.groups ?? []
		put(result, answer.problem ? h('p.bad', show(answer.problem), answer.offset != null && ` (at character ${count(answer.offset + 1)})`)
			: answer.matches ? [h('p', pill('matched'), ' ', code(subject.value, 4000, marks(subject.value, groups.slice(groups.length > 1 ? 1 : 0).map(one => one.range)))),
				items(groups, 101, ({ number, name, text }) => h('span.mono', `$${number}${name ? ` $${name}` : ''} = `, show(text)))]
				: h('p', pill('skipped'), ' It does not match.'),
		answer.slowness && h('p.warn', show(answer.slowness)))
	}
	return h('details.card', h('summary', 'Try one expression'), h('form.list', { onsubmit: event => {
		event.preventDefault()
		run().catch(error => { if (!signal.aborted) put(result, h('p.bad', show(error.message))) })
	} }, h('.bar', field('Expression', expression, '.grow'), field('Text', subject, '.grow'), h('label', caseless, ' Ignore case'), h('button', 'Match')), result))
}

const pairs = parts => new Map(parts.filter(Boolean).map(part => part.split(/=(.*)/s)).map(([name, value]) => [name, value ?? '']))
// The listener takes + for itself, as URLs do.
const encoded = query => [...query].map(pair => pair.map(encodeURIComponent).join('=')).join('&')
const parts = url => /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(url).slice(1)
const argumentsOf = url => pairs((parts(url)[1] ?? '').split('&').reverse())
const withArgument = (url, name, value) => {
	const [head, query, tail] = parts(url)
	const all = [...(query ?? '').split('&').filter(part => part && part.split('=')[0] !== name), ...(value ? [`${name}=${value}`] : [])]
	return head + (all.length ? '?' + all.join('&') : '') + tail
}

const outcome = ({ decision, status, url, route, reason }) => h('p', pill(decision), ' ', status != null && h('b', `${status} `), url != null && code(url, 4000),
	route && h('span.muted', ' route ', code(route)), reason && h('span.bad', ' ', show(reason)))

const tell = (answer, url) => [
	h('section.card.list#outcome', h('.head', h('h2', 'Outcome'), h('p.note', `version ${answer.version} of the rules`)), outcome(answer.decision),
		answer.decision.rule && h('p.note', 'by ', rulesLink(answer.decision.rule)),
		h('.bar', { role: 'group', 'aria-label': 'Copy' }, copies(answer.notations).map(([what, text]) => h('button', { 'data-copy': `Copy ${what}`, 'data-text': text, onclick: copy }, `Copy ${what}`)))),
	steps(answer, url),
]
const copies = ({ curl, expect, test }) => [['link', location.href], ['as curl', curl], ['as expect', expect], ['as test', test]]
const copy = async ({ target }) => {
	try { await navigator.clipboard.writeText(target.dataset.text); target.textContent = 'Copied' } catch { target.textContent = 'Not allowed' }
	announce(target.textContent)
	setTimeout(() => { target.textContent = target.dataset.copy }, 1500)
}

const color = index => `mark.c${index % 5 + 1}`
// The captures in what was looked at, which are said in bytes of UTF-8; a capture within another is told beside it.
const marks = (subject, ranges) => {
	const bytes = new TextEncoder().encode(subject), decoder = new TextDecoder('utf-8', { ignoreBOM: true })
	const at = byte => decoder.decode(bytes.subarray(0, byte)).length
	return ranges.flatMap((range, index) => range && range[1] > range[0] ? [[...range.map(at), color(index)]] : []).sort((a, b) => a[0] - b[0] || b[1] - a[1])
}

// The tests of one `if` are one step, whose result is the result of the last test.
const joined = (all, step) => {
	// The entries of tables that a test reads come before it.
	const index = all.findLastIndex(one => !['entry', 'note'].includes(one.kind)), before = all[index]
	if (step.kind !== 'condition' || before?.kind !== 'condition' || before.rule !== step.rule) return [...all, step]
	return [...all.toSpliced(index, 1), { ...step, tests: [...before.tests ?? [before], step] }]
}
const testList = tests => items(tests, 100, one => [pill(one.result), ' ', one.subject != null && code(one.subject, 3000, marks(one.subject, one.capture_ranges ?? []))])
// The parts of an `if` that its tests read, each from a variable to the next operator.
const tested = (text, tests) => {
	let at = 0
	return tests.flatMap(({ subject = '', result }) => {
		const start = text.indexOf(subject.split(' ')[0], at), end = text.slice(start).search(/ (?:&&|\|\|) |\)$/)
		if (!subject || start < at) return []
		at = start + end
		return [[start, at, result === 'matched' ? 'ins' : 'del']]
	})
}

const steps = (answer, url) => {
	const list = [h('li', h('.card', h('h3', 'Request'), code(url, 4096)))]
	let skipped = []
	for (const step of [...answer.trace.reduce(joined, []), null]) {
		if (step?.result === 'skipped') { skipped.push(step); continue }
		if (skipped.length) {
			list.push(h('li.skips', h('details', h('summary', `${plural(skipped.length, 'step')} did not apply`),
				items(skipped, 500, one => [code(one.text, 4000, tested(one.text, one.tests ?? [])), ' ', one.rule && rulesLink(one.rule), one.tests && testList(one.tests)]))))
			skipped = []
		}
		if (!step || step.kind === 'decision') continue
		if (step.kind === 'phase') { list.push(h('li.muted', `${step.text === 'url' ? 'URL' : plain(step.text)} phase`)); continue }
		const { before, after, subject, captures = [], capture_ranges: ranges = [], tests } = step
		const [old, fresh] = before == null ? [] : difference(before, after)
		list.push(h(`li${step.result ? '.hit' : ''}`, h('.card',
			h('.head', h('span', code(step.text, 4000, tested(step.text, tests ?? []))), step.result && pill(step.result), step.rule && h('span.note', rulesLink(step.rule))),
			tests ? testList(tests)
				: before != null ? h('.change', h('span', 'before'), code(before, 3000, captures.length ? marks(before, ranges) : old), h('span', 'after'), code(after, 3000, fresh))
				: subject != null && h('.change', h('span', 'tested'), code(subject, 3000, marks(subject, ranges))),
			captures.length > 0 && h('.caps', captures.map((text, index) => h('span.mono', `$${index + 1} = `, h(color(index), show(text))))))))
	}
	return h('ol.story', list, h('li.end', h('.card', h('h3', 'Decision'), outcome(answer.decision))))
}
