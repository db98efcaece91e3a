import type { Draft } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import type { Settings } from './settings.ts'

type Content = Pick<Draft<Settings>, 'text' | 'linkUrl' | 'settings'>

const topics = { update: 'STANDARD', event: 'EVENT', offer: 'OFFER' } as const
const actions = {
  learn_more: 'LEARN_MORE',
  book: 'BOOK',
  order: 'ORDER',
  shop: 'SHOP',
  sign_up: 'SIGN_UP',
  call: 'CALL',
} as const

/** A post as Google takes it. What its kind does not have is left out: Google refuses an offer in an update, and ignores a button of an offer. */
export function describePost(draft: Content, photoUrl: string | null) {
  const { text, settings } = draft
  const { topic } = settings
  return {
    topicType: topics[topic],
    ...(text.trim() !== '' && { summary: text }),
    ...(topic !== 'offer' && actionOf(draft)),
    ...(topic !== 'update' && { event: { title: settings.title, schedule: scheduleOf(settings) } }),
    ...(topic === 'offer' && { offer: offerOf(draft) }),
    ...(photoUrl !== null && { media: [{ mediaFormat: 'PHOTO', sourceUrl: photoUrl }] }),
  }
}

function actionOf({ linkUrl, settings: { button } }: Content) {
  if (button === 'call' && linkUrl !== null) {
    const message = 'A post has one button: one that calls takes no link. Choose another button, or leave out the link.'
    throw new PlatformError({ kind: 'rejected', platformCode: null, message })
  }
  if (button === 'call') return { callToAction: { actionType: actions.call } }
  return linkUrl === null ? {} : { callToAction: { actionType: actions[button], url: linkUrl } }
}

function offerOf({ linkUrl, settings }: Content) {
  const { couponCode, terms, redeemUrl = linkUrl } = settings
  return {
    ...(couponCode && { couponCode }),
    ...(redeemUrl && { redeemOnlineUrl: redeemUrl }),
    ...(terms && { termsConditions: terms }),
  }
}

/** All four parts are needed. An end without a time is that of its day. */
function scheduleOf({ start = '', end = '' }: Settings) {
  const [from, until] = [partsOf(start, '00:00'), partsOf(end, '23:59')]
  return { startDate: from.date, startTime: from.time, endDate: until.date, endTime: until.time }
}

function partsOf(moment: string, timeOfDay: string) {
  const [day = '', time = timeOfDay] = moment.split('T')
  const [year, month, date] = day.split('-').map(Number)
  const [hours, minutes] = time.split(':').map(Number)
  return { date: { year, month, day: date }, time: { hours, minutes, seconds: 0, nanos: 0 } }
}
