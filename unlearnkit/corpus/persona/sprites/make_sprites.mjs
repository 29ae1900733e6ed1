// Draws the parts of two sets of CC0 portraits as colour-coded sprites, 96 x 96 pixels each, and packs each set into one picture with a list of names.
//
//   npm install @dicebear/core@9.4.3 @dicebear/open-peeps@9.4.3 @dicebear/lorelei@9.4.3 @resvg/resvg-js@2.6.2
//   node make_sprites.mjs
//
// In a sprite red is the share of skin, green of clothing, blue of hair, the least of the three of white; the rest of the opacity is black ink.
import fs from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import * as peeps from './node_modules/@dicebear/open-peeps/lib/components/index.js';
import * as lorelei from './node_modules/@dicebear/lorelei/lib/components/index.js';
import { createAvatar } from '@dicebear/core';
import * as openPeeps from '@dicebear/open-peeps';

const SIZE = 96, COLUMNS = 10;

function pack(name, viewBox, sprites) {
  const rows = Math.ceil(sprites.length / COLUMNS);
  const cells = sprites.map(([, inner], i) =>
    `<svg x="${(i % COLUMNS) * SIZE}" y="${Math.floor(i / COLUMNS) * SIZE}" width="${SIZE}" height="${SIZE}" viewBox="${viewBox}" overflow="hidden" fill="none">${inner}</svg>`);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${COLUMNS * SIZE}" height="${rows * SIZE}">${cells.join('')}</svg>`;
  const png = new Resvg(svg).render().asPng();
  fs.writeFileSync(`${name}.png`, png);
  fs.writeFileSync(`${name}.txt`, sprites.map(([n]) => n).join('\n') + '\n');
  console.log(name, sprites.length, 'sprites', png.length, 'bytes');
}

function peepsSprites() {
  const colors = { skin: '#ff0000', clothing: '#00ff00', headContrast: '#0000ff' };
  const place = { head: 'matrix(.99789 0 0 1 156 62)', face: 'translate(315 248)', facialHair: 'translate(279 400)', accessories: 'translate(203 303)' };
  // Not clear at 32 pixels, or no plain expression of a person.
  const skip = new Set(['bear', 'longAfro', 'moustache8', 'eyepatch', 'cyclops', 'monster', 'lovingGrin1', 'lovingGrin2', 'hectic', 'rage', 'awe', 'old', 'angryWithFang', 'fear']);
  // Heads whose hair is a separate coloured area or that show none; in all others the hair is the ink.
  const coloured = new Set(['bangs', 'cornrows', 'grayBun', 'grayMedium', 'grayShort', 'mediumBangs2', 'mohawk', 'mohawk2', 'noHair3', 'short4', 'noHair1', 'noHair2', 'hijab', 'turban', 'hatHip']);
  const whole = createAvatar(openPeeps, { seed: '0', clip: false, skinColor: ['ff0000'], clothingColor: ['00ff00'], headContrastColor: ['0000ff'], facialHairProbability: 0, accessoriesProbability: 0, maskProbability: 0 }).toString();
  const sprites = [['body_0', whole.match(/<g fill-rule="evenodd"[\s\S]*?<\/g>/)[0]]];
  for (const group of Object.keys(place)) {
    for (const [name, draw] of Object.entries(peeps[group])) {
      if (skip.has(name)) continue;
      let inner = draw({}, colors);
      if ((group === 'head' && !coloured.has(name)) || (group === 'facialHair' && !['full4', 'moustache9'].includes(name))) inner = inner.replace(/fill="#000"/g, 'fill="#0000ff"');
      sprites.push([`${group}_${name}`, `<g transform="${place[group]}">${inner}</g>`]);
    }
  }
  return sprites;
}

function loreleiSprites() {
  const colors = { skin: '#ff0000', hair: '#0000ff', eyebrows: '#000', eyes: '#000', mouth: '#000', nose: '#000', glasses: '#000', freckles: '#000', earrings: '#000' };
  const slot = new Proxy({}, { get: (_, part) => ({ value: () => (part === 'head' ? '<head/>' : '') }) });
  const variants = (...numbers) => numbers.map(n => 'variant' + String(n).padStart(2, '0'));
  const sprites = [];
  // The outer component is the hair, with the head drawn between what lies behind it and what lies before it.
  for (const name of variants(1, 2, 3, 4, 5, 7, 9, 10, 13, 15, 16, 18, 20, 22, 24, 25, 26, 27, 29, 30, 31, 33, 35, 37, 39, 40, 41, 43, 45, 46, 47, 48)) {
    const [behind, before] = lorelei.hair[name](slot, colors).split('<head/>');
    if (behind.trim()) sprites.push([`back_${name}`, behind]);
    if (before.trim()) sprites.push([`hair_${name}`, before]);
  }
  const wanted = {
    head: variants(1, 2, 3, 4), nose: variants(1, 2, 4, 5, 6), beard: variants(1, 2), glasses: variants(1, 2, 3, 4, 5),
    eyes: variants(2, 4, 5, 6, 8, 9, 10, 13, 14, 16, 18, 19, 20, 24), eyebrows: variants(1, 2, 3, 5, 7, 9, 11, 13),
    mouth: ['happy01', 'happy02', 'happy05', 'happy08', 'happy12', 'happy16', 'sad01', 'sad03', 'sad05', 'sad08'],
  };
  for (const [group, names] of Object.entries(wanted)) {
    for (const name of names) sprites.push([`${group}_${name}`, lorelei[group][name](slot, colors)]);
  }
  return sprites;
}

pack('open_peeps', '-58 -36 820 820', peepsSprites());
pack('lorelei', '50 0 880 880', loreleiSprites());
