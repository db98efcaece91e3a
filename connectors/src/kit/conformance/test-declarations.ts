import { Type } from 'typebox'
import { contentFormats, platforms, type Manifest } from '@carillon/contract'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import type { Connector } from '../connector.ts'
import type { Declarations, DeclarationsByLanguage } from '../setting-words.ts'
import type { SettingWords } from '../setting-words.ts'

type SettingSchema = {
  type?: string
  title?: string
  pattern?: string
  oneOf?: readonly { const: string; title: string }[]
  'x-only-for'?: readonly string[]
}

type DescribedSettings = { properties: Record<string, SettingSchema>; 'x-words': { de: SettingWords } }

/** Guarantee: a connector's manifest and settings are well formed and match the functions it has. */
export function testDeclarations(connector: Connector): void {
  const { manifest, settings, auth } = connector

  describe('declarations', () => {
    test('the manifest is well formed', () => {
      expect(platforms).toContain(manifest.platform)
      expect(manifest.checkedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
      expect(manifest.text.max).toBeGreaterThan(0)
      expect(new Set(manifest.formats).size).toBe(manifest.formats.length)
      for (const format of manifest.formats) expect(contentFormats).toContain(format)
      for (const address of manifest.api.docs) expect(URL.canParse(address)).toBe(true)
      for (const rate of [...manifest.rate.perConnection, ...manifest.rate.perApp])
        expect(rate.count * rate.windowMs).toBeGreaterThan(0)
      expect([null, ...Object.keys(manifest.metrics)]).toContain(manifest.primaryImpression)
    })

    test('formats and media rules agree', () => {
      const has = (...formats: string[]) => manifest.formats.some((format) => formats.includes(format))
      expect(has('text')).toBe(manifest.text.alone)
      expect(has('photo', 'photo_carousel')).toBe(manifest.photos !== null)
      expect(has('video', 'short_video')).toBe(manifest.video !== null)
      expect(has('document')).toBe(manifest.document !== null)
      expect(has('story')).toBe(manifest.story !== null)
      expect(has('short_video') || manifest.shortVideo === undefined).toBe(true)
      expect(manifest.title?.formats.every((format) => has(format)) ?? true).toBe(true)
    })

    test('alt text is unambiguous: without kinds there is no limit either', () => {
      const { kinds, max } = manifest.altText
      expect(kinds.length > 0 || max === null).toBe(true)
      for (const kind of kinds)
        expect({ image: manifest.photos, video: manifest.video, document: manifest.document }[kind]).not.toBeNull()
    })

    test('settings that the manifest names exist', () => {
      const {
        text,
        coverSetting,
        aiLabel,
        audienceSetting,
        settingConflicts,
        disclosure,
        handover,
        listLimits = [],
      }: Manifest = manifest
      const named = [
        ...text.countedSettings,
        ...(coverSetting ? [coverSetting] : []),
        ...(aiLabel ? [aiLabel.setting] : []),
        ...(audienceSetting ? [audienceSetting] : []),
        ...settingConflicts.flatMap((c) => [c.setting, c.other]),
        ...listLimits.map(({ setting }) => setting),
        ...(disclosure ? [disclosure.setting, ...disclosure.kinds] : []),
        ...(handover ? [handover.setting] : []),
      ]
      for (const name of named) expect(Object.keys(Object(Reflect.get(settings, 'properties')))).toContain(name)
    })

    test('`can` and `handle` match the functions that exist', () => {
      expect('remove' in connector).toBe(manifest.can.remove)
      expect('metrics' in connector).toBe(manifest.can.metrics)
      expect(Object.keys(manifest.metrics).length > 0).toBe(manifest.can.metrics)
      expect('find' in connector || manifest.handle === 'key' || manifest.handle === 'none').toBe(true)
      expect(manifest.can.linkUrl || manifest.linkWithMedia === 'text').toBe(true)
      expect(manifest.title !== null).toBe(manifest.can.title)
      const needsStage = manifest.formats.some((format) =>
        connector.needsStage({ format, text: '', linkUrl: null, replyTo: null }),
      )
      expect(needsStage && !('stage' in connector)).toBe(false)
    })

    test('every required setting has a default, every setting a description, and unknown settings are refused', () => {
      expect(Value.Check(settings, Value.Default(settings, {}))).toBe(true)
      expect(Value.Check(settings, Value.Default(settings, { surely: 'not a setting' }))).toBe(false)
      expect(settings).toMatchObject({ type: 'object', additionalProperties: false })
      const properties: unknown = Reflect.get(settings, 'properties')
      for (const field of Object.values(Object(properties))) expect(field).toMatchObject({ description: expect.any(String) })
    })

    test('a person can read every setting: choices have names, and a setting for some formats only names formats of the platform', () => {
      const properties: Record<string, SettingSchema> = Object(Reflect.get(settings, 'properties'))
      for (const [name, field] of Object.entries(properties)) {
        expect({ name, title: field.title }).toEqual({ name, title: expect.stringMatching(/^[A-Z]/) })
        // A bare list of values would show their technical names in a form.
        expect({ name, hasBareValues: 'enum' in field || 'anyOf' in field }).toEqual({ name, hasBareValues: false })
        for (const choice of field.oneOf ?? [])
          expect(choice).toEqual({ const: expect.any(String), title: expect.stringMatching(/^[A-Z]/) })
        for (const format of field['x-only-for'] ?? []) expect(manifest.formats).toContain(format)
        expect(Value.Check(settings, Value.Default(settings, { [name]: 'no such value' }))).toBe(
          field.type === 'string' && !field.oneOf && Value.Check(Type.Unsafe<string>(field), 'no such value'),
        )
        for (const choice of field.oneOf ?? [])
          expect(Value.Check(settings, Value.Default(settings, { [name]: choice.const }))).toBe(true)
      }
    })

    test('every setting and each of its choices has German words', () => {
      const { properties, 'x-words': words } = settings as unknown as DescribedSettings
      expect(Object.keys(words.de)).toEqual(Object.keys(properties))
      for (const [name, { oneOf }] of Object.entries(properties)) {
        expect(words.de[name]).toMatchObject({
          title: expect.stringMatching(/^\p{Lu}/u),
          description: expect.stringMatching(/\.$/),
        })
        expect(Object.keys(words.de[name]?.choices ?? {})).toEqual((oneOf ?? []).map((choice) => choice.const))
      }
    })

    test('what a platform wants said is said in both languages, about settings that exist', () => {
      const declarations: DeclarationsByLanguage | undefined = Reflect.get(settings, 'x-declarations')
      if (!declarations) return
      const names = Object.keys(Object(Reflect.get(settings, 'properties')))
      const { en, de } = declarations
      for (const { labels, consent, excluded } of [en, de]) {
        for (const { when } of [...labels, ...consent]) expect([null, ...names]).toContain(when)
        for (const name of Object.keys(excluded)) expect(names).toContain(name)
        // Whatever is chosen, there is a sentence to agree to.
        expect(consent.at(-1)?.when).toBeNull()
      }
      const shapeOf = ({ labels, consent }: Declarations) =>
        [...labels, ...consent].map(({ when, text }) => [when, linksIn(text)])
      expect(shapeOf(de).map(String).toSorted()).toEqual(shapeOf(en).map(String).toSorted())
    })

    test('a platform without instances has an origin', () => {
      expect(connector.origin !== null || auth.perInstance).toBe(true)
    })
  })
}

function linksIn(text: string): string[] {
  return Array.from(text.matchAll(/\]\((https:[^()\]]+)\)/g), ([, url]) => url ?? '')
}
