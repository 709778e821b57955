// The address of a scan, as a QR code for a phone's camera.

// QR codes (ISO/IEC 18004) of up to 180 bytes: byte mode, error correction level M, mask 0.

// By version: all codewords, the correction codewords of each block, and the blocks.
const versions = [
  [26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4], [196, 18, 4], [242, 22, 4],
  [292, 22, 5],
];
const alignment = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46]];
// The format bits for that level and mask, and the version bits from 7 on, each with its check bits.
const format = 0x5412;
const versionBits = { 7: 0x07c94, 8: 0x085bc, 9: 0x09a99 };

// Draws the code of a text with the quiet zone around it; draws nothing for a text that is too long.
export function draw(canvas, text) {
  const bytes = new TextEncoder().encode(text);
  const fits = ([total, check, blocks]) => bytes.length + 2 <= total - check * blocks;
  const version = 1 + versions.findIndex(fits);
  canvas.hidden = version === 0;
  if (version === 0) return;
  const rows = matrix(version, codewords(bytes, versions[version - 1]));
  const [scale, quiet] = [8, 4];
  canvas.width = canvas.height = (rows.length + 2 * quiet) * scale;
  const context = canvas.getContext("2d");
  // Dark on light in dark mode too: some cameras do not read the reverse.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  rows.forEach((row, y) =>
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect((x + quiet) * scale, (y + quiet) * scale, scale, scale);
    }),
  );
}

// Returns the bytes with mode and length, padded, in blocks with their check bytes, interleaved.
function codewords(bytes, [total, check, count]) {
  const data = new Uint8Array(total - check * count);
  data[0] = 0x40;
  [bytes.length, ...bytes].forEach((byte, index) => {
    data[index] |= byte >> 4;
    data[index + 1] = (byte & 15) << 4;
  });
  for (let index = bytes.length + 2, pad = 0xec; index < data.length; index += 1, pad ^= 0xfd) {
    data[index] = pad;
  }
  const blocks = [];
  const shorter = count - (total % count);
  for (let index = 0, start = 0; index < count; index += 1) {
    const length = Math.floor(total / count) - check + (index < shorter ? 0 : 1);
    blocks.push(data.subarray(start, (start += length)));
  }
  const checks = blocks.map((block) => remainder(block, check));
  return [...dealt(blocks), ...dealt(checks)];
}

function* dealt(blocks) {
  for (let index = 0; index < blocks.at(-1).length; index += 1) {
    for (const block of blocks) if (index < block.length) yield block[index];
  }
}

// Reed-Solomon codes over the field of 256 elements with x^8 + x^4 + x^3 + x^2 + 1.
function product(left, right) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    result = (result << 1) ^ ((result >> 7) * 0x11d);
    result ^= ((right >> bit) & 1) * left;
  }
  return result;
}

function remainder(data, degree) {
  const divisor = new Uint8Array(degree);
  divisor[degree - 1] = 1;
  for (let step = 0, root = 1; step < degree; step += 1, root = product(root, 2)) {
    for (let index = 0; index < degree; index += 1) {
      divisor[index] = product(divisor[index], root) ^ (divisor[index + 1] ?? 0);
    }
  }
  const rest = new Uint8Array(degree);
  for (const byte of data) {
    const factor = byte ^ rest[0];
    rest.copyWithin(0, 1);
    rest[degree - 1] = 0;
    divisor.forEach((term, index) => (rest[index] ^= product(term, factor)));
  }
  return rest;
}

function matrix(version, words) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => new Array(size).fill(null));
  const set = (x, y, isDark) => {
    if (x >= 0 && y >= 0 && x < size && y < size) rows[y][x] = Boolean(isDark);
  };
  patterns(size, version, set);
  fill(rows, words);
  return rows;
}

function patterns(size, version, set) {
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
    square(x, y, 4, (ring) => ring !== 2 && ring !== 4, set);
  }
  const places = alignment[version - 1];
  const last = places.length - 1;
  places.forEach((y, row) =>
    places.forEach((x, column) => {
      // Three corners have the finder patterns.
      const isEdge = [row, column].every((place) => place === 0 || place === last);
      if (!isEdge || (row === last && column === last)) square(x, y, 2, (ring) => ring !== 1, set);
    }),
  );
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = (format >> bit) & 1;
    if (bit < 8) set(8, bit < 6 ? bit : bit + 1, isDark);
    else set(bit === 8 ? 7 : 14 - bit, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);
  for (let bit = 0; versionBits[version] && bit < 18; bit += 1) {
    const [near, far] = [Math.floor(bit / 3), size - 11 + (bit % 3)];
    set(near, far, (versionBits[version] >> bit) & 1);
    set(far, near, (versionBits[version] >> bit) & 1);
  }
}

// Returns rings around a centre.
function square(x, y, reach, isDark, set) {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      set(x + right, y + down, isDark(Math.max(Math.abs(right), Math.abs(down))));
    }
  }
}

// Fills two columns at a time, alternately up and down, around the existing modules.
function fill(rows, words) {
  const size = rows.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== null) continue;
        const value = (words[bit >> 3] >> (7 - (bit & 7))) & 1;
        rows[y][x] = Boolean(value) !== ((x + y) % 2 === 0);
        bit += 1;
      }
    }
  }
}
