import { expect, test } from 'vitest'
import { cropBox, movedBy } from './crop-box.ts'

const wide = { width: 1600, height: 900 }

test.each([
  ['the largest square, in the middle', { ratio: 1, scale: 1, x: 0.5, y: 0.5 }, { left: 350, top: 0, width: 900, height: 900 }],
  ['the largest 4:5 at the right', { ratio: 0.8, scale: 1, x: 1, y: 0 }, { left: 880, top: 0, width: 720, height: 900 }],
  ['a wider shape leaves room above', { ratio: 2, scale: 1, x: 0, y: 1 }, { left: 0, top: 100, width: 1600, height: 800 }],
  ['half of it', { ratio: 1, scale: 0.5, x: 0, y: 0 }, { left: 0, top: 0, width: 450, height: 450 }],
])('%s', (_what, choice, box) => {
  expect(cropBox(wide, choice)).toEqual(box)
})

test('guarantee: a box never leaves the picture, however far it is dragged', () => {
  const choice = { ratio: 1, scale: 0.5, x: 0.5, y: 0.5 }
  const dragged = movedBy(wide, choice, { x: 99_999, y: -99_999 })
  expect(cropBox(wide, dragged)).toEqual({ left: 1150, top: 0, width: 450, height: 450 })
  expect(movedBy(wide, { ...choice, scale: 1 }, { x: 0, y: 50 }).y).toBe(0.5)
})
