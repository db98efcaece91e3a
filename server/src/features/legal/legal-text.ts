/** What the texts say depends on this installation. */
export type LegalFacts = {
  name: string
  host: string
  platforms: readonly string[]
  /** Those that tell us when a person asks them to have their data deleted. */
  askingPlatforms: readonly string[]
  /** The host that runs the AI model; null if there is none. */
  aiHost: string | null
  /** After how many days entries of the logs are deleted; null if they stay. */
  auditDays: number | null
}

export type LegalSection = { heading: string; paragraphs?: readonly string[]; items?: readonly string[] }
type LegalText = { title: string; intro: readonly string[]; sections: readonly LegalSection[] }
export type LegalPage = 'privacy' | 'terms' | 'deletion'
export type LegalTexts = Record<LegalPage, (facts: LegalFacts) => LegalText>
