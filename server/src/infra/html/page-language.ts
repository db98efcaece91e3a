import type { FastifyRequest } from 'fastify'

/** The language of a page without a script: the one in the address, or the one that the browser prefers among those that we have. */
export function pageLanguage({ query, headers }: FastifyRequest): 'en' | 'de' {
  const { lang } = query as { lang?: unknown }
  if (lang === 'en' || lang === 'de') return lang
  const preferred = (headers['accept-language'] ?? '')
    .slice(0, 500)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = parameters.find((each) => each.trim().startsWith('q='))?.split('=')[1]
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ language, quality }) => (language === 'en' || language === 'de') && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
  return preferred[0]?.language === 'de' ? 'de' : 'en'
}
