import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startTestSimulator, textAt } from '../../../test/start-test-simulator.ts'

/** The server refuses SVG pictures, because they can contain scripts. */
test('the picture of an account is a PNG with letters, at the address that the platform names', async () => {
  await using simulator = await startTestSimulator()
  const { token } = await simulator.openAccount('mastodon', 'bell-tower')
  const me = await simulator.request('/mastodon/api/v1/accounts/verify_credentials', { token })
  const response = await fetch(textAt(me.body, 'avatar'))
  expect(response.headers.get('content-type')).toBe('image/png')
  const { width, height, colours } = readPng(Buffer.from(await response.arrayBuffer()))
  expect([width, height]).toEqual([128, 128])
  expect(colours).toContain('ffffff')
  expect(colours.size).toBeGreaterThan(2)
})

test('accounts differ by colour, and a handle without known letters has a plain picture', async () => {
  await using simulator = await startTestSimulator()
  const load = async (handle: string) => {
    const response = await fetch(`${simulator.url}/avatar/${encodeURIComponent(handle)}.png`)
    return readPng(Buffer.from(await response.arrayBuffer()))
  }
  const [alice, bob, plain] = [await load('alice'), await load('bob'), await load('колокол')]
  expect(alice.colours.has([...bob.colours][0] ?? '')).toBe(false)
  expect(plain.colours.size).toBe(1)
})

/** Reads what `encodePng` writes: one IDAT chunk, without filters. */
function readPng(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const lines = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  const colours = new Set<string>()
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * (width * 3 + 1) + 1 + x * 3
      colours.add(lines.subarray(at, at + 3).toString('hex'))
    }
  return { width, height, colours }
}
