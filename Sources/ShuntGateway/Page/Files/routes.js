import { h, s, put, show, code, plain, count, plural, field, input, title, empty, region, announce } from './dom.js'
import { get } from './api.js'

const MOST = 400, STEP = 24, HEAD = 18
// On a phone the name of a route is below its pattern.
const narrow = matchMedia('(max-width: 760px)')
export const routes = async (main, { query, keep, signal, every }) => {
	let answer = await get('/routes', signal), lit = null
	put(main, title('Routes', plural(answer.routes.length, 'route')))
	if (!answer.routes.length) return main.append(empty('No routes', 'A route directive in the rule files names what serves a URL.'))
	const url = input(query.get('url'), 'kl://user/42')
	const told = h('p.note', { role: 'status' }), picture = region('.card.scroll', 'The tree of the routes')
	const draw = () => put(picture, tree(answer, lit), answer.tree.length > MOST && h('p.note', `The first ${MOST} of ${count(answer.tree.length)} segments.`))
	const find = async event => {
		event?.preventDefault()
		lit = null
		const text = url.value.trim()
		put(told)
		if (text) {
			query.set('url', text)
			keep(query)
			const { decision } = await get(`/explain?url=${encodeURIComponent(text)}`, signal)
			lit = decision.route ?? null
			put(told, lit ? ['Route ', code(lit), decision.url && [' for ', code(decision.url, 1000)]] : show(`No route: ${decision.decision}${decision.reason ? ', ' + decision.reason : ''}`))
			announce(told.textContent)
		}
		draw()
	}
	main.append(h('form.bar', { onsubmit: find }, field('URL', url, '.grow'), h('button.primary', 'Show path')), told, picture)
	await find()
	narrow.addEventListener('change', draw, { signal })
	every(2, async () => { answer = await get('/routes', signal); draw() })
}

const tree = ({ routes, tree }, lit) => {
	const [ROW, WIDTH] = narrow.matches ? [42, 330] : [26, 860], counts = routes.some(route => route.hits != null)
	const rows = tree.slice(0, MOST).map((row, index) => ({ ...row, own: row.routes.map(number => routes[number]), y: HEAD + index * ROW + 18 }))
	for (const row of rows.toReversed()) {
		row.isLit ||= row.own.some(route => route.name === lit)
		if (row.isLit && row.depth) rows[row.parent].isLit = true
	}
	const most = Math.max(1, ...rows.map(row => row.hits)), height = HEAD + rows.length * ROW + 12
	return s('svg.tree', { width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': `Routes: ${routes.slice(0, 50).map(route => `${route.pattern}, ${route.hits ?? 0} hits`).join('; ')}` },
		s('text.side', { x: 14, y: 12 }, 'Pattern'), s('text.side', { x: narrow.matches ? 70 : 470, y: 12 }, 'Name'), counts && s('text.side', { x: WIDTH, y: 12, 'text-anchor': 'end' }, 'Hits'),
		rows.map(({ name, own, depth, parent, isLit, hits, y }) => {
			const x = 14 + depth * STEP
			return s(`g${isLit ? '.lit' : ''}${own.length ? '.leaf' : ''}`,
				depth > 0 && s('path', { d: `M${x - STEP} ${rows[parent].y + 5}V${y - 6}Q${x - STEP} ${y} ${x - STEP + 8} ${y}H${x - 5}` }),
				s('circle', { cx: x, cy: y, r: 4 }), s('text', { x: x + 12, y: y + 4 }, plain(name).slice(0, 80)),
				s('text.side', narrow.matches ? { x: x + 12, y: y + 19 } : { x: 470, y: y + 4 }, plain(own.map(route => `${route.methods ?? ''} ${route.name === route.pattern ? '' : route.name}`.trim()).join(', ')).slice(0, 60)),
				counts && !narrow.matches && s('rect.k-forward', { x: 700, y: y - 5, width: 90 * hits / most, height: 10 }),
				counts && s('text.side', { x: WIDTH, y: y + 4, 'text-anchor': 'end' }, count(hits)))
		}))
}
