// Plays recorded frames, each by its number and at its own time. What is shown is always the frame that is named.

const KEPT = 160;
const AHEAD = 10;
const PLAYING_WIDTH = 960;

export class Film {
  constructor(base, canvas, onShow) {
    Object.assign(this, { base, canvas, onShow, times: new Float64Array(), at: -1, wanted: 0, speed: 1, playing: false, loop: null, sharp: false });
    this.pictures = new Map();
    this.asked = new Map();
  }

  async open() {
    this.times = new Float64Array(await (await fetch(`${this.base}/times`)).arrayBuffer());
  }

  get length() { return this.times.length; }

  /** Show exactly this frame, at full size; resolves when it is on the canvas. */
  async show(index) {
    this.pause();
    await this.draw(this.clamp(index), true);
  }

  clamp(index) { return Math.max(0, Math.min(this.length - 1, Math.round(index))); }

  async draw(index, sharp) {
    this.wanted = index;
    const picture = await this.picture(index, sharp);
    if (this.wanted !== index) return;
    this.paint(index, picture);
    if (sharp) for (const step of [1, -1]) if (this.has(index + step)) this.picture(index + step, true);
  }

  has(index) { return index >= 0 && index < this.length; }

  paint(index, picture) {
    const pen = this.canvas.getContext("2d");
    if (picture) pen.drawImage(picture, 0, 0, this.canvas.width, this.canvas.height);
    else { pen.fillStyle = "#1c2026"; pen.fillRect(0, 0, this.canvas.width, this.canvas.height); }
    this.canvas.dataset.frame = index;
    this.canvas.dataset.veiled = picture ? "" : "all";
    this.at = index;
    this.onShow(index);
  }

  key(index, sharp) { return sharp ? index : -index - 1; }

  picture(index, sharp) {
    const key = this.key(index, sharp);
    if (this.pictures.has(key)) return Promise.resolve(this.pictures.get(key));
    if (!this.asked.has(key)) this.asked.set(key, this.fetch(index, sharp, key));
    return this.asked.get(key);
  }

  async fetch(index, sharp, key) {
    try {
      const answer = await fetch(`${this.base}/frame/${index}${sharp ? "" : `?w=${PLAYING_WIDTH}`}`);
      const picture = answer.status === 200 ? await createImageBitmap(await answer.blob()) : null;
      if (picture) this.keep(key, picture);
      return picture;
    } finally { this.asked.delete(key); }
  }

  keep(key, picture) {
    this.pictures.set(key, picture);
    while (this.pictures.size > KEPT) {
      const [oldest, old] = this.pictures.entries().next().value;
      this.pictures.delete(oldest);
      old.close();
    }
  }

  play() {
    if (this.playing || this.length < 2) return;
    this.playing = true;
    if (!this.loop && this.at >= this.length - 1) this.at = 0;
    this.clock = this.times[Math.max(this.at, 0)];
    this.before = performance.now();
    this.tick();
  }

  pause() { this.playing = false; }

  tick() {
    if (!this.playing) return;
    requestAnimationFrame((now) => {
      if (!this.playing) return;
      this.clock += (now - this.before) * this.speed;
      this.before = now;
      this.advance();
      this.tick();
    });
  }

  /** The latest frame whose time has come and whose picture is there; the clock waits when none is. */
  advance() {
    const [first, last] = this.loop ?? [0, this.length - 1];
    if (this.clock > this.times[last] + 250) {
      if (!this.loop) { this.pause(); this.draw(last, true); return; }
      this.clock = this.times[first];
    }
    const due = Math.min(this.indexAt(this.clock), last);
    for (let k = due; k <= Math.min(due + AHEAD, last); k += 1) this.picture(k, false);
    let ready = due;
    while (ready > this.at && !this.pictures.has(this.key(ready, false))) ready -= 1;
    if (this.at > due || this.at < first) ready = due;
    const picture = this.pictures.get(this.key(ready, false));
    if (picture && ready !== this.at) { this.wanted = ready; this.paint(ready, picture); }
    if (due - this.at > AHEAD) this.clock = Math.min(this.clock, this.times[Math.max(this.at, 0)] + 100);
  }

  indexAt(ms) {
    let low = 0, high = this.length - 1;
    while (low < high) { const middle = (low + high + 1) >> 1; if (this.times[middle] <= ms) low = middle; else high = middle - 1; }
    return low;
  }
}
