import type { LinkRule } from '@carillon/contract'
import { linkPlaceholders, listUnknownPlaceholders, readDomain } from '@carillon/core'
import { problem } from '../../infra/problem/problem.ts'

const templates = ['source', 'medium', 'campaign', 'content', 'term'] as const
const names = linkPlaceholders.map((name) => `{${name}}`).join(', ')

/** The rule with its host names as addresses are compared with them. Refuses what would tag nothing, or something else than was meant. */
export function readLinkRule(rule: LinkRule): LinkRule {
  const domains = rule.domains.map(readDomain)
  const details = [
    ...domains.flatMap((domain, index) =>
      domain === null ? [{ path: `utm.domains[${index}]`, message: 'Must be a host name such as example.com.' }] : [],
    ),
    ...templates.flatMap((field) => {
      const [unknown] = listUnknownPlaceholders(rule[field] ?? '')
      if (unknown === undefined) return []
      return [{ path: `utm.${field}`, message: `${unknown} stands for nothing; there are ${names}.` }]
    }),
    ...(['source', 'medium'] as const).flatMap((field) =>
      rule[field].trim() === '' ? [{ path: `utm.${field}`, message: 'Must not be empty.' }] : [],
    ),
  ]
  if (details.length > 0) throw problem('request_invalid', { details })
  return { ...rule, domains: [...new Set(domains.flatMap((domain) => domain ?? []))] }
}
