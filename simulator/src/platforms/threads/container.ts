import type { Call } from '../../http/call.ts'
import { flagOf, textsOf, type Fields } from '../../http/fields.ts'
import { findLinks } from '../../text/links.ts'
import { readChildren, type MetaContainer } from '../meta/container.ts'
import { badParameter } from '../meta/graph-errors.ts'
import { countText } from './count-text.ts'

export type ContainerKind = 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL'
export type Container = MetaContainer<string> & { kind: ContainerKind; text: string; replyTo: string | null; request: Fields }

const textMax = 500
const linksMax = 5
const altMax = 1000

export type ContainerRequest = {
  kind: ContainerKind
  text: string
  alt: string
  source: string | undefined
  children: string[]
  isItem: boolean
}

/** Checks a request to create a container, before any media is fetched. */
export function readContainer(call: Call): ContainerRequest {
  const kind = (['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL'] as const).find((name) => name === call.parameter('media_type'))
  if (!kind) throw badParameter('Param media_type must be one of {TEXT, IMAGE, VIDEO, CAROUSEL}')
  const text = call.parameter('text') ?? ''
  const alt = call.parameter('alt_text') ?? ''
  const source = call.parameter(kind === 'IMAGE' ? 'image_url' : 'video_url')
  const children = readChildren(call)
  if (kind === 'TEXT' && text.trim() === '') throw badParameter('The parameter text is required')
  if (countText(text) > textMax) throw badParameter(`Param text must be at most ${textMax} characters long.`)
  const links = new Set([...findLinks(text), ...textsOf(call.parameter('link_attachment'))])
  if (links.size > linksMax)
    throw badParameter('THREADS_API__LINK_LIMIT_EXCEEDED', `A post can have at most ${linksMax} unique links.`)
  if (alt.length > altMax) throw badParameter(`Param alt_text must be at most ${altMax} characters long.`)
  const needsSource = kind === 'IMAGE' || kind === 'VIDEO'
  if (needsSource && (source === undefined || !URL.canParse(source)))
    throw badParameter(`The parameter ${kind.toLowerCase()}_url is required`)
  if (kind === 'CAROUSEL' && (children.length < 2 || children.length > 20))
    throw badParameter('A carousel needs 2 to 20 children')
  return { kind, text, alt, source, children, isItem: flagOf(call.parameter('is_carousel_item')) }
}
