// Pictures, drawn as SVG from numbers.
import { s, h, count, duration, plain } from './dom.js';

const clock = time => new Date(time * 1000).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
const W = 460, H = 190, LEFT = 44, BOTTOM = 20;

const nice = most => {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= most);
};
// What was counted between two samples, a second.
const rates = (samples, member) => samples.slice(1).map((sample, index) => {
  const before = samples[index];
  const seconds = Math.max(1, sample.time - before.time);
  return sample[member].map((number, kind) => Math.max(0, number - before[member][kind]) / seconds);
});
const axis = (samples, top, label) => {
  const parts = [];
  for (const share of [0, .5, 1]) {
    const y = (H - BOTTOM) * (1 - share) + 6;
    parts.push(s('line', { class: 'axis', x1: LEFT, x2: W, y1: y, y2: y }), s('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, label(top * share)));
  }
  for (const share of [0, .5, 1]) {
    const sample = samples[Math.round((samples.length - 1) * share)];
    parts.push(s('text', { x: LEFT + (W - LEFT) * share, y: H + 4, 'text-anchor': share === 0 ? 'start' : share === 1 ? 'end' : 'middle' }, clock(sample.time)));
  }
  return parts;
};

export const stacked = ({ kinds, samples }) => {
  const all = rates(samples, 'decisions');
  const most = Math.max(...all.map(one => one.reduce((a, b) => a + b, 0)));
  const top = nice(most);
  const x = index => LEFT + (W - LEFT) * (all.length > 1 ? index / (all.length - 1) : 1);
  const y = rate => (H - BOTTOM) * (1 - rate / top) + 6;
  const base = all.map(() => 0);
  const areas = kinds.map((kind, number) => {
    const low = all.map((_, index) => `${x(index)},${y(base[index])}`).reverse();
    const high = all.map((one, index) => `${x(index)},${y(base[index] += one[number])}`);
    return s('polygon', { class: `f-${kind}`, points: [...high, ...low].join(' ') });
  });
  const now = all.at(-1);
  return h('figure', null,
    s('svg', { class: 'chart', viewBox: `0 0 ${W} ${H + 8}`, role: 'img', 'aria-label': `Decisions a second by kind, at most ${count(Math.round(most))}` }, axis(samples, top, rate => count(+rate.toPrecision(3))), areas),
    h('figcaption', { class: 'legend' }, kinds.map((kind, index) => h('span', null, h('span', { class: `swatch f-${kind}` }), `${kind} ${count(+now[index].toFixed(1))}/s`))));
};

export const heat = ({ bounds_microseconds: bounds, samples }) => {
  const all = rates(samples, 'durations');
  const most = Math.max(1e-9, ...all.flat());
  const width = (W - LEFT) / all.length, height = (H - BOTTOM) / (bounds.length + 1);
  const cells = all.flatMap((one, column) => one.map((rate, bucket) => rate > 0 && s('rect', {
    class: 'heat', x: LEFT + column * width, y: 6 + (bounds.length - bucket) * height, width: width + .4, height: height - 1, opacity: (.12 + .88 * Math.sqrt(rate / most)).toFixed(3),
  })));
  const labels = [0, 3, 6, 9, 11].map(bucket => s('text', { x: LEFT - 6, y: 6 + (bounds.length - bucket) * height + 4, 'text-anchor': 'end' }, duration(bounds[bucket])));
  return h('figure', null,
    s('svg', { class: 'chart', viewBox: `0 0 ${W} ${H + 8}`, role: 'img', 'aria-label': 'How long requests took over time, darker where there were more' }, labels, axis(samples, 0, () => '').filter(part => part.tagName !== 'line'), cells),
    h('figcaption', { class: 'legend' }, 'darker: more requests took so long'));
};

// The time that a share of the requests of the last samples took, by the bounds of the buckets.
export const quantile = ({ bounds_microseconds: bounds, samples }, share) => {
  const from = samples.at(Math.max(-13, -samples.length)), to = samples.at(-1);
  const counts = to.durations.map((number, index) => number - from.durations[index]);
  let left = counts.reduce((a, b) => a + b, 0) * share;
  if (!left) return null;
  for (const [index, number] of counts.entries()) if ((left -= number) <= 0) return bounds[index] ?? Infinity;
  return Infinity;
};

export const spark = (points, label) => {
  const top = Math.max(1, ...points), step = 240 / Math.max(1, points.length - 1);
  const line = points.map((value, index) => `${(index * step).toFixed(1)},${(38 - 34 * value / top).toFixed(1)}`);
  return s('svg', { class: 'chart', viewBox: '0 0 240 40', role: 'img', 'aria-label': label },
    line.length > 1 && s('polygon', { class: 'spark-fill', points: `0,40 ${line.join(' ')} 240,40` }), s('polyline', { class: 'spark', points: line.join(' ') }), s('line', { class: 'axis', x1: 0, x2: 240, y1: 39, y2: 39 }));
};

// From old outcomes on the left to new ones on the right, as wide as there are requests.
export const flow = groups => {
  const sides = ['from', 'to'].map(side => {
    const sums = new Map();
    for (const group of groups) sums.set(group[side], (sums.get(group[side]) ?? 0) + group.weight);
    return sums;
  });
  const total = groups.reduce((sum, group) => sum + group.weight, 0);
  const rows = Math.max(...sides.map(side => side.size));
  const height = Math.max(60, rows * 34), room = height - rows * 10;
  const place = sides.map(side => {
    let at = (height - room - (side.size - 1) * 10) / 2;
    const places = new Map();
    for (const [name, sum] of side) {
      places.set(name, { at, size: room * sum / total, next: at });
      at += room * sum / total + 10;
    }
    return places;
  });
  const kind = name => `f-${/^[a-z]+/.exec(name)?.[0] ?? ''}`;
  const bands = groups.map(group => {
    const size = room * group.weight / total, from = place[0].get(group.from), to = place[1].get(group.to);
    const [a, b] = [from.next + size / 2, to.next + size / 2];
    from.next += size;
    to.next += size;
    const band = s('path', { d: `M130 ${a}C280 ${a} 280 ${b} 430 ${b}`, 'stroke-width': Math.max(2, size) }, s('title', null, plain(`${group.from} → ${group.to}: ${count(group.weight)}`)));
    band.style.stroke = `var(--${/^[a-z]+/.exec(group.to)?.[0] ?? 'muted'})`;
    return band;
  });
  const ends = (index, x, anchor, name) => [...place[index]].map(([text, one]) => [
    s('rect', { class: kind(text), x: index ? 430 : 124, y: one.at, width: 6, height: Math.max(2, one.size), rx: 2 }),
    s('text', { class: name, x, y: one.at + one.size / 2 + 4, 'text-anchor': anchor }, plain(`${text} · ${count(sides[index].get(text))}`)),
  ]);
  return s('svg', { class: 'chart flow', viewBox: `0 0 560 ${height}`, role: 'img', 'aria-label': `Changed outcomes: ${groups.map(one => `${one.weight} ${one.from} to ${one.to}`).join(', ')}` },
    bands, ends(0, 116, 'end', 'from'), ends(1, 444, 'start', 'to'));
};
