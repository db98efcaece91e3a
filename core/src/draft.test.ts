import type { Manifest } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import { countText } from './count-text.ts'
import { textWithLink } from './draft.ts'
import { testManifest } from './test-manifest.fixture.ts'

const linkUrl = 'https://example.com/a_'
const inText: Manifest = { ...testManifest, can: { ...testManifest.can, linkUrl: false }, linkWithMedia: 'text' }
const inTextIfItFits: Manifest = { ...testManifest, linkWithMedia: 'text-if-it-fits' }

/** Guarantee: this one function decides the text that is counted and sent. */
describe('without a field for the link', () => {
  test('a link that the text already holds is not added again', () => {
    const text = `a ${linkUrl} b`
    const sent = textWithLink({ format: 'text', text, linkUrl }, inText)
    expect(sent).toBe(text)
    expect(countText(sent, inText.text)).toBe(26)
  })

  test('any other link follows the text, in posts with and without media', () => {
    for (const format of ['text', 'photo'] as const) {
      expect(textWithLink({ format, text: 'a', linkUrl }, inText)).toBe(`a\n\n${linkUrl}`)
      expect(textWithLink({ format, text: '', linkUrl }, inText)).toBe(linkUrl)
      expect(textWithLink({ format, text: 'a', linkUrl: null }, inText)).toBe('a')
    }
  })
})

describe('with a field for the link', () => {
  test('the text of a text post stays as it is', () => {
    expect(textWithLink({ format: 'text', text: 'a', linkUrl }, inTextIfItFits)).toBe('a')
  })

  test('beside media the link follows the text where the manifest says so, unless the text would become too long', () => {
    const { max } = testManifest.text
    const longest = 'a'.repeat(max - linkUrl.length - 2)
    expect(textWithLink({ format: 'photo', text: longest, linkUrl }, inTextIfItFits)).toBe(`${longest}\n\n${linkUrl}`)
    expect(textWithLink({ format: 'photo', text: `${longest}a`, linkUrl }, inTextIfItFits)).toBe(`${longest}a`)
  })

  test('beside media the link is left out where the manifest says so', () => {
    for (const linkWithMedia of ['omitted', 'field'] as const)
      expect(textWithLink({ format: 'photo', text: 'a', linkUrl }, { ...testManifest, linkWithMedia })).toBe('a')
  })
})
