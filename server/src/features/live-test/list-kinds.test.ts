import { manifests } from '@carillon/connectors/manifests'
import { describe, expect, test } from 'vitest'
import { chooseKinds, listKinds } from './list-kinds.ts'

describe.each(Object.values(manifests).map((manifest) => [manifest.platform, manifest] as const))('%s', (_platform, manifest) => {
  const kinds = listKinds(manifest, '2026-11-18')

  test('guarantee: every kind that the manifest declares is tested, once', () => {
    const { formats, can } = manifest
    const wanted = [...formats, ...(can.thread ? ['thread'] : []), ...(can.firstComment ? ['first_comment'] : [])]
    expect(kinds.map(({ name }) => name)).toEqual(wanted)
  })

  test('guarantee: every text says that it is a test', () => {
    for (const { fields } of kinds) expect(fields['text']).toMatch(/only a test/)
  })

  test('the files are small, and not smaller than the platform accepts', () => {
    for (const { name, files } of kinds) {
      const sizes = files().map(({ bytes }) => bytes.length)
      const least = name.includes('video') ? (manifest.video?.bytesMin ?? 0) : 0
      for (const size of sizes) expect(size).toSatisfy((bytes: number) => bytes >= least && bytes < 100_000)
    }
  })
})

test('--only takes the words of people, and refuses what the platform does not have', () => {
  const kinds = listKinds(manifests.bluesky, 'now')
  expect(chooseKinds(kinds, 'image, text').map(({ name }) => name)).toEqual(['text', 'photo'])
  expect(() => chooseKinds(kinds, 'text,document')).toThrow('"document" is not among what this platform can have: text, photo')
})
