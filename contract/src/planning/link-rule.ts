import { Type, type Static } from 'typebox'
import { StrictObject } from '../primitives.ts'

const placeholders = 'a text with {platform}, {account} (its slug), {date} and {title}'
const Template = (name: string) => Type.String({ maxLength: 100, description: `\`${name}\`: ${placeholders}` })
const NeededTemplate = (name: string) =>
  Type.String({ minLength: 1, maxLength: 100, description: `\`${name}\`: ${placeholders}` })

const linkDomainsMax = 50

/**
 * Parameters that the links to these hosts get in posts that are created or changed from now on. A link that has `utm_source` stays as it is.
 */
export const LinkRule = StrictObject({
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    minItems: 1,
    maxItems: linkDomainsMax,
    uniqueItems: true,
    description: 'Host names, such as example.com, whose links get parameters; their subdomains are included',
  }),
  source: NeededTemplate('utm_source'),
  medium: NeededTemplate('utm_medium'),
  campaign: Type.Optional(Template('utm_campaign')),
  content: Type.Optional(Template('utm_content')),
  term: Type.Optional(Template('utm_term')),
})
export type LinkRule = Static<typeof LinkRule>
