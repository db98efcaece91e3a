import type { AccountRules, MediaRules, PlatformRules } from '@carillon/contract'

/** The rules for one account: those of its platform, with what is known about the account in their place. */
export function rulesOfAccount<Rules extends PlatformRules>(platform: Rules, own: AccountRules | null): Rules {
  if (own === null) return platform
  return {
    ...platform,
    formats: own.formats ?? platform.formats,
    text: { ...platform.text, ...own.text },
    photos: withOwn(platform.photos, own.photos),
    video: withOwn(platform.video, own.video),
    altText: { ...platform.altText, max: own.altTextMax ?? platform.altText.max },
    can: { ...platform.can, ...own.can },
    ...(own.choices && { choices: own.choices }),
    ...(own.needs && { needs: own.needs }),
  }
}

/** A platform that does not take these files at all takes them from no account. */
function withOwn(rules: MediaRules | null, own: Partial<MediaRules> | undefined): MediaRules | null {
  return rules && { ...rules, ...own }
}

/** Where the account differs from its platform, as `text.max` or `choices.visibility`. */
export function listDifferences(platform: PlatformRules, own: AccountRules | null): string[] {
  const rules = rulesOfAccount(platform, own)
  const groups = ['text', 'photos', 'video', 'altText', 'can'] as const
  return [
    ...(isSame(platform.formats, rules.formats) ? [] : ['formats']),
    ...groups.flatMap((group) => {
      const before = new Map<string, unknown>(Object.entries(platform[group] ?? {}))
      const now = Object.entries(rules[group] ?? {})
      return now.flatMap(([name, value]) => (isSame(before.get(name), value) ? [] : [`${group}.${name}`]))
    }),
    ...Object.keys(rules.choices ?? {}).map((name) => `choices.${name}`),
    ...(rules.needs ?? []).map((name) => `needs.${name}`),
  ]
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
