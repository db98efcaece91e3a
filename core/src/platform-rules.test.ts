import type { Manifest, PlatformInfo, PlatformRules } from '@carillon/contract'
import { expect, expectTypeOf, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import type { Draft } from './draft.ts'
import { draftWarnings } from './draft-warnings.ts'
import { testManifest } from './test-manifest.fixture.ts'

const draft: Draft = {
  type: 'text',
  format: 'text',
  text: 'a'.repeat(301),
  title: null,
  firstComment: null,
  linkUrl: 'https://tower.example/',
  medias: [],
}

/** Guarantee: a client can check a draft with what `GET /platforms` returns, by the same code as the server. */
test('the answer of GET /platforms is enough for the checks', () => {
  expectTypeOf<PlatformInfo>().toExtend<PlatformRules>()
  expectTypeOf<Manifest>().toExtend<PlatformRules>()
  const { name, formats, text, photos, video, document, story, gif, altText, title, can, linkWithMedia } = testManifest
  const served = { name, formats, text, photos, video, document, story, gif, altText, title, can, linkWithMedia }
  const rules: PlatformRules = JSON.parse(JSON.stringify(served))
  expect(checkDraft(draft, rules)).toEqual(checkDraft(draft, testManifest))
  expect(draftWarnings({ ...draft, title: 'T' }, rules)).toEqual(draftWarnings({ ...draft, title: 'T' }, testManifest))
})
