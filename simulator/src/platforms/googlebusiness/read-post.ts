import type { Call } from '../../http/call.ts'
import { isFields, listOf, textOf, type Fields } from '../../http/fields.ts'
import { badRequest, invalidPost } from './errors.ts'

const summaryMax = 1500
const titleMax = 58
const couponMax = 58
const topics = ['STANDARD', 'EVENT', 'OFFER', 'ALERT']
const actions = ['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'GET_OFFER', 'CALL']

/** The fields that a LocalPost has. Google's servers refuse a name that they do not know. */
const names: Readonly<Record<string, readonly string[]>> = {
  '': [
    'name',
    'languageCode',
    'summary',
    'callToAction',
    'createTime',
    'updateTime',
    'scheduledTime',
    'event',
    'state',
    'media',
    'searchUrl',
    'topicType',
    'alertType',
    'offer',
  ],
  callToAction: ['actionType', 'url'],
  event: ['title', 'schedule', 'recurrenceInfo'],
  offer: ['couponCode', 'redeemOnlineUrl', 'termsConditions'],
}

type NewPost = { fields: Fields; summary: string; topicType: string; photoUrl: string | undefined }

/** Checks a request for a new post (reference/rest/v4/accounts.locations.localPosts, page of 2026-09-11). */
export function readPost(call: Call): NewPost {
  const { fields } = call
  if (!fields || !(call.headers['content-type'] ?? '').startsWith('application/json'))
    throw badRequest('', 'Invalid JSON payload received.', 'Invalid JSON payload received.')
  requireKnown('', fields)
  for (const part of ['callToAction', 'event', 'offer']) if (fields[part] !== undefined) requireKnown(part, partOf(fields, part))
  const topicType = textOf(fields['topicType'])
  if (topicType === undefined) throw invalidPost('topic_type', 'Topic type is required for post creation.')
  if (!topics.includes(topicType)) throw invalidEnum('topic_type', topicType)
  const summary = textOf(fields['summary']) ?? ''
  if (summary.length > summaryMax) throw invalidPost('summary', `Post summary must not exceed ${summaryMax} characters.`, 4)
  checkAction(fields, topicType)
  checkEvent(fields, topicType)
  checkOffer(fields, topicType)
  const photoUrl = readPhoto(fields)
  if (topicType === 'STANDARD' && summary.trim() === '' && photoUrl === undefined)
    throw invalidPost('summary', 'Post must have a summary or media.')
  return { fields, summary, topicType, photoUrl }
}

export const partOf = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}

function requireKnown(part: string, fields: Fields): void {
  const unknown = Object.keys(fields).find((name) => !names[part]?.includes(name))
  if (unknown === undefined) return
  const said = `Invalid JSON payload received. Unknown name "${unknown}"${part && ` at 'local_post.${part}'`}: Cannot find field.`
  throw badRequest(part, said, said)
}

function invalidEnum(field: string, value: string) {
  const said = `Invalid value at 'local_post.${field}' (TYPE_ENUM), "${value}"`
  return badRequest(`local_post.${field}`, said, said)
}

function checkAction(fields: Fields, topicType: string): void {
  // An offer has a link of its own.
  if (fields['callToAction'] === undefined || topicType === 'OFFER') return
  const { actionType, url } = partOf(fields, 'callToAction')
  const action = textOf(actionType) ?? ''
  if (!actions.includes(action)) throw invalidEnum('call_to_action.action_type', action)
  if (action === 'GET_OFFER') throw invalidPost('call_to_action.action_type', 'GET_OFFER is not supported.')
  if (action === 'CALL' && url !== undefined)
    throw invalidPost('call_to_action.url', 'Url must not be set for the action type CALL.')
  if (action !== 'CALL' && !isAddress(url)) throw invalidPost('call_to_action.url', 'Url must be a valid address.')
}

function checkEvent(fields: Fields, topicType: string): void {
  if (topicType !== 'EVENT' && topicType !== 'OFFER') {
    if (fields['event'] !== undefined) throw invalidPost('event', 'Event is only allowed for event and offer posts.')
    return
  }
  const event = partOf(fields, 'event')
  const title = textOf(event['title']) ?? ''
  if (title.trim() === '') throw invalidPost('event.title', 'Event title is required.')
  if (title.length > titleMax) throw invalidPost('event.title', `Event title must not exceed ${titleMax} characters.`, 4)
  const schedule = partOf(event, 'schedule')
  const [start, end] = [instantOf(schedule, 'start'), instantOf(schedule, 'end')]
  if (start === null || end === null) throw invalidPost('event.schedule', 'The interval must contain all fields to be valid.')
  if (end < start) throw invalidPost('event.schedule', 'The end must not be before the start.')
}

/** Times have no zone: they are those of the place. Null if a part of one is missing or is none. */
function instantOf(schedule: Fields, side: 'start' | 'end'): number | null {
  if (!isFields(schedule[`${side}Date`]) || !isFields(schedule[`${side}Time`])) return null
  const { year, month, day } = partOf(schedule, `${side}Date`)
  // Zero is the value of a part that is missing.
  const { hours = 0, minutes = 0 } = partOf(schedule, `${side}Time`)
  const [y, m, d, h, min] = [year, month, day, hours, minutes].map(Number)
  const at = new Date(Date.UTC(y ?? NaN, (m ?? NaN) - 1, d ?? NaN, h ?? NaN, min ?? NaN))
  const isReal = at.getUTCMonth() + 1 === m && at.getUTCDate() === d && at.getUTCHours() === h && at.getUTCMinutes() === min
  return isReal ? at.getTime() : null
}

function checkOffer(fields: Fields, topicType: string): void {
  if (fields['offer'] === undefined) return
  if (topicType !== 'OFFER') throw invalidPost('offer', 'Offer is only allowed for offer posts.')
  const { couponCode, redeemOnlineUrl } = partOf(fields, 'offer')
  if ((textOf(couponCode) ?? '').length > couponMax)
    throw invalidPost('offer.coupon_code', `Coupon code must not exceed ${couponMax} characters.`, 4)
  if (redeemOnlineUrl !== undefined && !isAddress(redeemOnlineUrl))
    throw invalidPost('offer.redeem_online_url', 'Url must be a valid address.')
}

/** `sourceUrl` is the only data field. Others met the sentence about videos (spotonlive/php-google-my-business issue 18). */
function readPhoto(fields: Fields): string | undefined {
  const media = listOf(fields['media']).filter(isFields)
  const [first, second] = media
  if (!first) return undefined
  if (second) throw invalidPost('media', 'A post can have one photo.')
  if (first['mediaFormat'] === 'VIDEO') throw invalidPost('media', 'Video uploaded from post is not currently supported.')
  if (first['mediaFormat'] !== 'PHOTO') throw invalidPost('media.media_format', 'Media format is required.')
  const others = Object.keys(first).filter((name) => name !== 'mediaFormat' && name !== 'sourceUrl')
  const url = textOf(first['sourceUrl'])
  if (others.length > 0 || url === undefined || !isAddress(url))
    throw invalidPost('media.source_url', 'The only supported data field is source_url.')
  return url
}

function isAddress(url: unknown): boolean {
  return typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}
