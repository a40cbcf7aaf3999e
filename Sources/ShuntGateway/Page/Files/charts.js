import { s, h, count, duration, plain } from './dom.js'

const W = 460, H = 176, LEFT = 44, TOP = 6
const sum = numbers => numbers.reduce((a, b) => a + b, 0)
const picture = (label, width, height, ...parts) => s('svg.chart', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, parts)

// What was counted between two samples, a second.
const rates = (samples, member) => samples.slice(1).map((sample, index) => {
	const before = samples[index]
	return sample[member].map((number, kind) => Math.max(0, number - before[member][kind]) / Math.max(1, sample.time - before.time))
})
const left = (y, text) => s('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, text)
const times = samples => ['start', 'middle', 'end'].map((anchor, part) => s('text', { x: LEFT + (W - LEFT) * part / 2, y: H + 16, 'text-anchor': anchor },
	new Date(samples[Math.round((samples.length - 1) * part / 2)].time * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })))

export const stacked = ({ kinds, samples }) => {
	const all = rates(samples, 'decisions'), most = Math.max(...all.map(sum))
	const power = 10 ** Math.floor(Math.log10(most || 1))
	const top = most ? [1, 2, 5, 10].map(step => step * power).find(step => step >= most) : 1
	const x = index => LEFT + (W - LEFT) * (all.length > 1 ? index / (all.length - 1) : 1)
	const y = rate => H * (1 - rate / top) + TOP
	const base = all.map(() => 0)
	const points = () => base.map((rate, index) => `${x(index)},${y(rate)}`)
	const areas = kinds.map((kind, number) => {
		const low = points().reverse()
		all.forEach((one, index) => { base[index] += one[number] })
		return s(`polygon.k-${kind}`, { points: [...points(), ...low].join(' ') })
	})
	return h('figure',
		picture(`Decisions a second by kind, at most ${count(Math.round(most))}`, W, H + 20,
			[0, .5, 1].map(share => [s('line.axis', { x1: LEFT, x2: W, y1: y(top * share), y2: y(top * share) }), left(y(top * share), count(+(top * share).toPrecision(3)))]), times(samples), areas),
		h('figcaption.legend', kinds.map((kind, index) => h('span', h(`i.k-${kind}`), `${kind} ${count(+all.at(-1)[index].toFixed(1))}/s`))))
}

export const heat = ({ bounds_microseconds: bounds, samples }) => {
	const all = rates(samples, 'durations'), most = Math.max(1e-9, ...all.flat())
	const width = (W - LEFT) / all.length, height = H / (bounds.length + 1), y = bucket => TOP + (bounds.length - bucket) * height
	return h('figure',
		picture('Latency over time: stronger colour = more requests', W, H + 20, [0, 3, 6, 9, 11].map(bucket => left(y(bucket), duration(bounds[bucket]))), times(samples),
			all.map((one, column) => one.map((rate, bucket) => rate > 0
				&& s('rect.heat', { x: LEFT + column * width, y: y(bucket), width: width + .4, height: height - 1, opacity: .12 + .88 * Math.sqrt(rate / most) })))),
		h('figcaption.legend', 'stronger colour = more requests'))
}

export const spark = (points, label) => {
	const top = Math.max(1, ...points), step = 240 / Math.max(1, points.length - 1)
	const line = points.map((value, index) => `${index * step},${38 - 34 * value / top}`)
	return picture(label, 240, 40, line.length > 1 && s('polygon.spark', { points: `0,40 ${line.join(' ')} 240,40` }), s('line.axis', { x1: 0, x2: 240, y1: 39, y2: 39 }))
}

// From old outcomes on the left to new ones on the right, as wide as there are requests.
export const flow = groups => {
	const total = sum(groups.map(group => group.weight)), kind = name => /^[a-z]*/.exec(name)[0]
	const sides = ['from', 'to'].map(side => {
		const ends = new Map(groups.map(group => [group[side], { weight: 0 }]))
		for (const group of groups) ends.get(group[side]).weight += group.weight
		return ends
	})
	const height = Math.max(60, ...sides.map(side => side.size * 34)), room = height * 24 / 34
	const parts = sides.map((side, index) => {
		let at = (height - room - (side.size - 1) * 10) / 2
		return [...side].map(([name, end]) => {
			end.next = at
			end.size = room * end.weight / total
			at += end.size + 10
			return [s(`rect.k-${kind(name)}`, { x: index ? 430 : 124, y: end.next, width: 6, height: Math.max(2, end.size) }),
				s('text', { x: index ? 444 : 116, y: end.next + end.size / 2 + 4, 'text-anchor': index ? 'start' : 'end' }, plain(`${name} · ${count(end.weight)}`))]
		})
	})
	const bands = groups.map(group => {
		const size = room * group.weight / total
		const [a, b] = [sides[0].get(group.from), sides[1].get(group.to)].map(end => (end.next += size) - size / 2)
		return s(`path.k-${kind(group.to)}`, { d: `M130 ${a}C280 ${a} 280 ${b} 430 ${b}`, 'stroke-width': Math.max(2, size) }, s('title', plain(`${group.from} → ${group.to}: ${count(group.weight)}`)))
	})
	const svg = picture(`Changed outcomes: ${groups.map(one => `${one.weight} ${one.from} to ${one.to}`).join(', ')}`, 560, height, bands, parts)
	svg.classList.add('flow')
	return svg
}
