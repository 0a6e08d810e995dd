'use strict';
// What the NameNode says becomes text, never markup: users choose the names of paths.
(() => {
const COLUMNS = 288, BUSY = 80, UNKNOWN = 255, LABELS_PX = 110, ROWS = 500;
const $ = (id) => document.getElementById(id);
const state = {at: null, way: 'rx', rack: null, node: null, racks: null, nodes: null, peak: 0};
const compare = new Intl.Collator('en', {numeric: true}).compare;
const count = (n) => typeof n === 'number' ? n.toLocaleString('en', {maximumFractionDigits: 2}) : n;
const share = (part) => typeof part === 'number' ? Math.round(100 * part) + ' %' : part;
const mega = (b) => typeof b === 'number' ? count(Math.round(b / 1e5) / 10) : b;
const percent = (p) => p === UNKNOWN ? 'not measured' : p + ' %';
const clock = (time, more) =>
  new Date(time).toLocaleString('en-GB', {hour: '2-digit', minute: '2-digit', ...more});
const instant = (time) => clock(time, {day: 'numeric', month: 'short', second: '2-digit'});
const within = (value, most) => Math.max(0, Math.min(most, value));
const lasting = (s) => typeof s !== 'number' ? 'unknown' : s < 90 ? Math.ceil(s) + ' s'
  : s < 5400 ? Math.ceil(s / 60) + ' min' : (s / 3600).toFixed(1) + ' h';

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  Object.entries(attributes ?? {}).forEach(([key, value]) => {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value) made.setAttribute(key, value);
  });
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}
const note = (text, look) => el('p', {class: 'note ' + (look ?? '')}, text);
const unit = (text) => el('span', {class: 'unit'}, text);
const figures = (all) => el('dl', {}, all.map(([name, value, more]) =>
  el('div', {}, el('dt', {}, name), el('dd', {}, value ?? '–', ' ', el('small', {}, more)))));
/** A table, unless it would be empty; heads that begin with > are of numbers. */
function table(heads, rows) {
  if (!rows.length) return '';
  const row = (tag, cells) => el('tr', {}, cells.map((cell, i) =>
    el(tag, {class: heads[i][0] === '>' && 'n', scope: tag === 'th' && 'col'}, cell)));
  return el('div', {class: 'scroll', tabindex: '0'}, el('table', {},
    el('thead', {}, row('th', heads.map((head) => head.replace('>', '')))),
    el('tbody', {}, rows.slice(0, ROWS).map((cells) => row('td', cells)))));
}

async function ask(name, options) {
  const response = await fetch('rackweave/data/' + name + '?' + new URLSearchParams(options),
    {signal: AbortSignal.timeout(20e3)});
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Error(answer.error ?? (response.status === 403 ? 'For administrators of HDFS only.'
    : 'The web server answers ' + response.status + '.'));
}

// Links: a model has names, and of each frame, by the time it begins, shares in their order.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const column = (time) => COLUMNS - 1 - Math.round((state.end - time) / state.step);
const timeOf = (col) => state.end - (COLUMNS - 1 - col) * state.step;
const chosen = () => state.at ?? state.end;
const shareOf = (model, way, i, time = chosen()) => model.frames.get(time)?.[way][i] ?? UNKNOWN;

async function links(options, before) {
  const since = before && Math.max(0, ...before.frames.keys());
  const {names, at_ms, ...answer} = await ask('links', {...options, ...(since && {since})});
  const [rx, tx] = [bytes(answer.rx), bytes(answer.tx)];
  state.step = answer.step_ms;
  state.end = Math.floor(answer.now_ms / state.step) * state.step;
  const all = before?.names ?? names, place = names.map((name) => all.indexOf(name));
  if (place.includes(-1)) return links(options);
  const frames = new Map(before?.frames);
  const shares = (way, frame) => {
    const row = new Uint8Array(all.length).fill(UNKNOWN);
    place.forEach((to, i) => { row[to] = way[frame * names.length + i]; });
    return row;
  };
  at_ms.forEach((at, i) => frames.set(at, {rx: shares(rx, i), tx: shares(tx, i)}));
  frames.forEach((_, at) => within(column(at), COLUMNS - 1) === column(at) || frames.delete(at));
  return {names: all, frames};
}

let colours;
function palette() {
  const style = getComputedStyle(document.documentElement);
  const canvas = el('canvas', {width: 101, height: 1, 'aria-hidden': 'true'});
  const pen = canvas.getContext('2d'), scale = pen.createLinearGradient(.5, 0, 100.5, 0);
  [0, 30, 60, 79, 80, 100].forEach((at) =>
    scale.addColorStop(at / 100, style.getPropertyValue('--heat-' + at)));
  pen.fillStyle = scale;
  pen.fillRect(0, 0, 101, 1);
  colours = new Uint32Array(256); // what is not known stays transparent
  colours.set(new Uint32Array(pen.getImageData(0, 0, 101, 1).data.buffer));
  $('legend').replaceChildren('0', canvas, '100 % of the link', el('i'), 'not measured');
}

const sorted = (names) => [...names.keys()].sort((a, b) => compare(names[a], names[b]));
/** Links by time in a box; says which column and name are picked, and whether to open that. */
function heatMap(box, picked) {
  const map = {rows: []};
  const [canvas, now, cell] = [el('canvas'), el('div', {class: 'now'}), el('div', {class: 'cell'})];
  box.append(canvas, now, cell);
  map.draw = (model, rows) => {
    const style = getComputedStyle(box), ratio = window.devicePixelRatio, size = rows.length;
    const height = Math.max(within(525 / size, 22), within(6000 / size, 1.5));
    canvas.style.height = size * height + 'px'; // first, for it says whether there is a scroll bar
    const width = (box.clientWidth - LABELS_PX) / COLUMNS;
    Object.assign(map, {model, rows, width, height});
    canvas.width = box.clientWidth * ratio;
    canvas.height = size * height * ratio;
    if (!size || !box.clientWidth) return;
    const cells = el('canvas', {width: COLUMNS, height: size});
    const image = new ImageData(COLUMNS, size), dots = new Uint32Array(image.data.buffer);
    model.frames.forEach((frame, at) => rows.forEach((name, y) => {
      dots[y * COLUMNS + column(at)] = colours[frame[state.way][name]];
    }));
    cells.getContext('2d').putImageData(image, 0, 0);
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(cells, LABELS_PX, 0, COLUMNS * width, size * height);
    pen.font = '11px ' + style.fontFamily;
    pen.textBaseline = 'middle';
    rows.forEach((name, y) => {
      pen.fillStyle = style.getPropertyValue('--card');
      if (height >= 8) pen.fillRect(LABELS_PX, y * height, box.clientWidth, 1);
      if (y % Math.ceil(13 / height)) return;
      pen.fillStyle = style.color;
      pen.fillText(model.names[name].replace(/^.+(?=.{16}$)/, '…'), 0,
        y * height + Math.max(height, 13) / 2);
    });
    map.mark(map.name);
  };
  const rowOf = (name) => map.rows.findIndex((row) => map.model.names[row] === name);
  const nameAt = (y) => map.model.names[map.rows[within(y, map.rows.length - 1)]];
  map.mark = (name) => {
    map.name = name;
    const y = rowOf(name), x = LABELS_PX + column(chosen()) * map.width;
    now.style.cssText = `left: ${x + map.width / 2}px; height: ${map.rows.length * map.height}px`;
    cell.style.cssText = y < 0 ? 'display: none' : `left: ${x}px; top: ${y * map.height}px;`
      + `width: ${map.width}px; height: ${map.height}px`;
  };
  const under = ({clientX, clientY}) => {
    const at = canvas.getBoundingClientRect();
    return [within(Math.floor((clientX - at.left - LABELS_PX) / map.width), COLUMNS - 1),
      nameAt(Math.floor((clientY - at.top) / map.height))];
  };
  box.addEventListener('pointermove', (event) => {
    const [col, name] = under(event);
    say(map.model, name, timeOf(col));
  });
  box.addEventListener('pointerleave', () => say());
  box.addEventListener('click', (event) => picked(...under(event), true));
  box.addEventListener('keydown', (event) => {
    const hop = event.shiftKey ? 12 : 1;
    const move = {ArrowLeft: [-hop, 0], ArrowRight: [hop, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      Home: [-COLUMNS, 0], End: [COLUMNS, 0], Enter: [0, 0]}[event.key];
    if (event.key === 'Escape') choose(COLUMNS - 1, null);
    if (!move) return;
    event.preventDefault();
    picked(within(column(chosen()) + move[0], COLUMNS - 1), nameAt(rowOf(map.name) + move[1]),
      event.key === 'Enter');
    cell.scrollIntoView({block: 'nearest'});
  });
  return map;
}
const rackMap = heatMap($('racks'), (col, name, open) => (open ? choose : look)(col, name));
const lookAt = (col, node) => look(col, rackMap.name, node);
const nodeMap = heatMap($('rack-nodes'), lookAt);

function say(model = state.node ? state.nodes : state.racks, name = state.node ?? rackMap.name,
    time = chosen()) {
  const i = model.names.indexOf(name);
  $('cell').textContent = i < 0 ? 'Click a cell, or choose one by arrow keys and press Enter.'
    : `${name} at ${clock(time)}: receiving ${percent(shareOf(model, 'rx', i, time))}, sending `
      + percent(shareOf(model, 'tx', i, time));
}
function look(col, rack = rackMap.name, node = state.node) {
  Object.assign(state, {node, at: col >= COLUMNS - 1 ? null : timeOf(col)});
  rackMap.name = rack;
  rewind();
}
async function choose(col, rack) {
  Object.assign(state, {rack, node: null, nodes: null});
  look(col, rack);
  $('rack').hidden = !rack;
  if (!rack) return;
  $('rack-title').textContent = 'DataNodes of ' + rack;
  await drawNodes().catch((failure) => { $('rack-title').textContent = failure.message; });
  rewind();
}
async function drawNodes() {
  const {rack, nodes} = state, model = await links({rack}, nodes);
  if (rack !== state.rack) return;
  state.nodes = model;
  nodeMap.draw(model, sorted(model.names));
}

let soon;
function rewind() {
  const {racks, way, at} = state, time = chosen();
  $('slider').value = column(time);
  $('slider').setAttribute('aria-valuetext', clock(time));
  $('live').setAttribute('aria-pressed', String(at === null));
  rackMap.mark(rackMap.name);
  if (state.nodes) nodeMap.mark(state.node);
  say();
  const model = state.nodes ?? racks, what = state.nodes ? 'DataNodes' : 'Racks';
  const known = model.names.map((name, i) => [name, shareOf(model, way, i)])
    .filter(([, value]) => value !== UNKNOWN)
    .sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
  const mean = known.reduce((sum, [, value]) => sum + value, 0) / known.length;
  $('moment').replaceChildren(el('h3', {},
    (state.rack ?? 'All racks') + ' ' + (at === null ? 'now' : clock(at, {weekday: 'short'}))),
    known.length ? figures([['Mean', Math.round(mean) + ' %'], [what + ' at 80 % or more',
      count(known.filter(([, value]) => value >= BUSY).length), 'of ' + count(known.length)]])
      : note('Nothing was measured then.'),
    el('ul', {}, known.slice(0, 12).map(([name, value]) => el('li', {},
      el('button', {onclick: () => (state.nodes ? lookAt : choose)(column(time), name)},
        name + ' ', unit(value + ' %'), el('progress', {class: value >= BUSY && 'busy', max: 100,
          value: String(value)}))))));
  clearTimeout(soon);
  soon = setTimeout(() => refresh(parts.why), 400);
}
async function drawLinks() {
  const {racks} = state, first = Math.min(...racks.frames.keys());
  $('known').textContent = !racks.names.length ? 'Nothing is known of the links yet.'
    : column(first) > 0 ? `Known since ${clock(first)}.` : '';
  $('day').hidden = !racks.names.length;
  rackMap.draw(racks, sorted(racks.names));
  const hours = [...Array(COLUMNS).keys()].map((col) => new Date(timeOf(col))).filter((time) =>
    time.getHours() % 3 === 0 && time.getMinutes() * 60e3 < state.step);
  $('hours').replaceChildren(...hours.map((time) => {
    const label = el('span', {}, clock(time));
    label.style.left = LABELS_PX + column(time) * rackMap.width + 'px';
    return label;
  }));
  if (state.rack) await drawNodes();
  rewind();
}

const parts = {};
/** Something to read every so many seconds, in a section if it has a title; a fold when open. */
function part(name, title, every, show, {fold, options, wide} = {}) {
  const it = parts[name] = {name, every, show, options, due: 0};
  if (!title) return;
  const heading = el('h2', {id: name + '-title'}, title);
  it.body = el('div');
  it.fold = fold && el('details', {ontoggle: () => refresh(it)}, el('summary', {}, heading),
    it.body);
  $(fold || wide ? 'wide' : 'cards').append(el('section', {id: name, 'aria-labelledby': heading.id},
    it.fold ?? [heading, it.body]));
  $('nav').append(el('a', {href: '#' + name}, title));
}
async function refresh(it) {
  it.due = Date.now() + 1000 * it.every;
  if (it.fold && !it.fold.open) return;
  try {
    const options = it.options?.();
    const answer = it.name === 'links' ? await links({}, state.racks) : await ask(it.name, options);
    const [asked, text] = [JSON.stringify(options), it.body && JSON.stringify(answer)];
    const isInUse = text === it.text || it.body?.querySelector('details[open], input:focus');
    if (it.body && asked === it.asked && isInUse) return;
    Object.assign(it, {asked, text});
    const shown = answer.unavailable ? [note(answer.unavailable)] : it.show(answer);
    it.body?.replaceChildren(...shown);
  } catch (failure) {
    it.due = Date.now() + 3000;
    it.text = null;
    it.body?.replaceChildren(note(failure.message, 'ERR'));
    if (it.name !== 'health') return;
    $('verdict').className = 'ERR';
    $('verdict').textContent = failure.constructor === Error ? failure.message
      : 'The NameNode does not answer';
  }
}

part('links', '', 30, (racks) => {
  state.racks = racks;
  drawLinks();
});
part('health', '', 10, (a) => {
  const counted = a.findings.filter((one) => one.muted === 'no');
  const worst = counted.map((one) => one.severity).sort()[0] ?? 'OK';
  $('verdict').className = worst;
  $('verdict').textContent = worst === 'OK' ? 'OK: all is well on this NameNode'
    : `${worst}: ${counted.length} finding${counted.length > 1 ? 's' : ''}`;
  $('who').textContent = `${a.namenode} · ${a.role} · ${a.version} · Hadoop ${a.hadoop}`;
  $('fresh').textContent = 'Updated ' + clock(Date.now(), {second: '2-digit'});
  document.title = `${worst} Rackweave ${a.namenode}`;
  $('modes').replaceChildren(...a.modes.split(' ').filter((word) => word.includes('='))
    .map((word) => el('li', {}, word.split('=')[0] + ' ', el('b', {}, word.split('=')[1]))));
  if ($('findings').querySelector('details[open]')) return;
  $('findings').replaceChildren(...a.findings.map((one) => el('article', {},
    el('b', {class: one.severity}, `${one.severity} ${one.code}`),
    unit(one.muted === 'yes' ? ' muted' : ''), ' ' + one.summary, note(one.what_to_do),
    one.details.length ? el('details', {}, el('summary', {}, `${one.details.length} concerned`),
      el('ul', {}, one.details.map((detail) => el('li', {}, detail)))) : null)));
});
part('modes', '', 10, (a) => {
  const stock = Object.entries(a.fallbacks);
  $('tiles').replaceChildren(figures([['Coverage of links', share(a.coverage),
    a.datanodes >= 0 ? `of ${count(a.datanodes)} DataNodes` : ''],
  ['Measured by agents', count(a.datanodes_measured), `${count(a.datanodes_derived)} derived`],
  ['Placement decisions', count(a.decisions), 'since the start'],
  ['Left to stock HDFS', count(stock.reduce((sum, [, n]) => sum + n, 0)),
    stock.map(([why, n]) => `${why} ${count(n)}`).join(', ')]]));
});
part('recovery', 'Recovery', 10, ({recovery: r, backlog, node, straggler}) => {
  const left = r.blocks_waiting + r.copies_under_way;
  const peak = state.peak = left && Math.max(state.peak, left);
  const arrived = `${count(r.copies_arrived)} copies have arrived since the start.`;
  if (r.state.includes('not-active')) return [note('Only the active NameNode knows.')];
  if (!left) return [note(`No block waits for a copy (${r.state}). ${arrived}`)];
  return [figures([['Blocks waiting', count(r.blocks_waiting), r.state],
    ['Copies under way', count(r.copies_under_way)], ['Over in', lasting(r.eta_sec)]]),
  el('progress', {max: peak, value: String(peak - left), 'aria-label': 'Blocks copied'}),
  note(`${count(peak - left)} of ${count(peak)} blocks done since this page saw them. ${arrived} `
    + `${straggler.length} copies take longer than planned. ${r.brake}`),
  table(['Waiting blocks', '>Blocks', '>MB'], backlog.map((row) => [['no replica to spare',
    'very few replicas', 'too few replicas', 'in too few racks', 'corrupt'][row.priority],
  count(row.blocks), mega(row.bytes)])),
  table(['DataNode', '>Sends MB/s', '>of', '>Receives MB/s', '>of'], node.map((row) =>
    [row.name, mega(row.out_bytes_per_sec), mega(row.idle_out_bytes_per_sec),
      mega(row.in_bytes_per_sec), mega(row.idle_in_bytes_per_sec)]))];
});
part('stripes', 'Stripes', 60, ({figures: f, lines}) => {
  const [lost, partly] = [f.stripes_missing_blocks_lost, f.stripes_missing_blocks_decodable];
  const states = [['Whole', f.stripes - partly - lost, 'OK'], ['Missing blocks, readable', partly,
    'WARN'], ['Lost', lost, 'ERR'], ['Sealed, to be encoded', f.sealed_stripes_waiting],
  ['Open', f.open_stripes], ['Being given up', f.stripes_being_given_up]];
  return [states.some(([, n]) => n) ? figures(states.map(([name, n, look]) =>
    [name, el('span', {class: n > 0 && look}, count(n))])) : note('Nothing is encoded.'),
  ...lines.map((line) => note(line))];
});
part('hot', 'Hot files', 60, ({files, interval_s: length}) => files.length === 0
  ? [note('No file has been read lately.')]
  : [note(`The most read files. Reads are per block and interval of ${lasting(length)}.`),
    table(['State', '>Reads', '>Replicas', '>of its own', 'File'], files.map((file) =>
      [file.state, count(file.reads), count(file.factor), count(file.own), file.path]))]);
part('roles', 'Roles', 60, ({servers, energy_saved_kwh_per_day: saved}) => {
  const roles = [...new Set(servers.map((one) => one.role))].sort();
  return [figures([...roles.map((role) => ['Servers ' + role,
    count(servers.filter((one) => one.role === role).length)]),
  ['Energy saved', count(saved), 'kWh a day']]),
  table(['Server', 'Role', 'Phase', 'For', 'Why'], servers.filter((one) => one.role !== 'hot').map(
    (one) => [one.datanode, one.role, one.phase, one.phase && lasting(one.phase_s), one.reason]))];
});
part('shadow', 'Shadow report', 60, ({placement: p, paths}) => [
  el('p', {}, 'Placement: ', el('b', {}, p.verdict), '.'),
  p.blocks ? figures([['Blocks compared', count(p.blocks)], ['Times as fast as stock',
    count(p.times_as_fast), `95 %: ${count(p.times_as_fast_least)} to `
      + count(p.times_as_fast_most)], ['On busy links', share(p.rackweave_targets_on_busy_links),
    `stock ${share(p.stock_targets_on_busy_links)}`]]) : '',
  table(['>Blocks', '>Writer seconds saved', 'Path'], paths.map((path) =>
    [count(path.blocks), count(path.writer_seconds_saved), path.path]))]);
part('why', 'Decisions', 30, (a) => [
  note(`${state.rack ? `${count(a.decisions.length)} decisions of ${clock(chosen())} name `
    + (state.node ?? state.rack) : 'The latest'}; ${count(a.kept)} are kept, of `
    + `${count(a.kept_at_most)} at most.`),
  el('div', {class: 'scroll'}, a.decisions.map((one) => el('details', {}, el('summary', {},
    unit(instant(one.time) + (one.by === 'stock' ? ` stock, ${one.reason} ` : ' Rackweave ')),
    one.path), one.sentence)))],
{options: () => state.rack ? {node: state.node ?? state.rack, from: chosen(),
  until: chosen() + state.step, last: 50} : {last: 20}});
part('events', 'Events', 30, ({events}) => [table(['Time', 'Kind', 'What'],
  events.map((event) => [instant(event.at_ms), event.kind, event.text]))], {wide: true});
part('nodes', 'DataNodes', 30, ({nodes}) => {
  const list = el('div');
  const show = (words) => {
    state.find = words;
    const found = nodes.filter((one) => Object.values(one).join(' ').includes(words));
    list.replaceChildren(note(`${count(found.length)} of ${count(nodes.length)}; at most ${ROWS}`
      + ' are listed. Speeds are in MB/s.'),
    table(['DataNode', 'State', 'Load', '>Link', '>Receives', '>Sends', '>Heard, s ago', 'Note'],
      found.map((one) => [one.node, one.state, one.load, count(one.link_mb_per_sec),
        count(one.rx_mb_per_sec), count(one.tx_mb_per_sec), count(one.heard_s_ago), one.silent])));
  };
  show(state.find ?? '');
  return [el('input', {type: 'search', placeholder: 'name, rack or state', value: state.find,
    'aria-label': 'DataNodes to list', oninput: (event) => show(event.target.value)}), list];
}, {fold: true});
part('rules', 'Rules', 60, ({rules}) => [rules.length ? table(['Directory', 'Rule'],
  rules.map(({path, ...words}) => [path, Object.entries(words).map((word) => word.join('='))
    .join(' ')])) : note('No directory has a rule.')], {fold: true});
part('settings', 'Settings', 60, ({settings}) => [
  note('Modes and rules that commands set go before these. “Programmatically” is by a reload.'),
  table(['Key', 'From', 'Value'], settings.sort((a, b) => !a.source - !b.source
    || compare(a.key, b.key)).map((one) => [one.key, one.source ?? 'default', one.value]))],
{fold: true});

$('slider').addEventListener('input', () => look(Number($('slider').value)));
$('live').addEventListener('click', () => look(COLUMNS - 1));
$('close').addEventListener('click', () => choose(column(chosen()), null));
document.querySelector('fieldset').addEventListener('change', ({target}) => {
  state.way = target.value;
  drawLinks();
});
const redraw = () => {
  palette();
  if (state.racks) drawLinks();
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
window.addEventListener('resize', redraw);
/** One question at a time, for the NameNode answers a few only. */
async function tick() {
  for (const it of Object.values(parts)) {
    if (!document.hidden && it.due <= Date.now()) await refresh(it);
  }
  setTimeout(tick, 1000);
}
palette();
tick();
})();
