import { type Static, Type } from 'typebox'
import { choice } from '../kit/setting-words.ts'
import { germanWords } from './german-words.ts'

/** A day, or a day and a time. Google counts them in the time of the place. */
const time = {
  pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d)?$`,
  'x-message': 'Must be a day, such as 2026-12-24, or a day and a time, such as 2026-12-24T18:00.',
}

export const settings = Type.Object(
  {
    topic: choice(
      { update: 'Update', event: 'Event', offer: 'Offer' },
      {
        default: 'update',
        title: 'Kind of post',
        description: 'An event and an offer have a title, a start and an end.',
      },
    ),
    title: Type.Optional(
      Type.String({
        pattern: '\\S',
        'x-message': 'Must be the title of the event or offer.',
        maxLength: 58,
        title: 'Title',
        description: 'The title of an event or offer. An update has none.',
      }),
    ),
    start: Type.Optional(
      Type.String({
        ...time,
        title: 'Start',
        description:
          'The day on which an event or offer begins, such as 2026-12-24, or the day and time, such as 2026-12-24T18:00, in the time of the place.',
      }),
    ),
    end: Type.Optional(
      Type.String({
        ...time,
        title: 'End',
        description: 'The last day of an event or offer, or the day and time of its end, in the time of the place.',
      }),
    ),
    couponCode: Type.Optional(
      Type.String({ maxLength: 58, title: 'Coupon code', description: 'What people show or enter to get an offer.' }),
    ),
    redeemUrl: Type.Optional(
      Type.String({
        pattern: '^https?://\\S+$',
        'x-message': 'Must be a web address.',
        maxLength: 2048,
        title: 'Redeem at',
        description: 'The web page on which people get an offer. Without it, that is the link of the post.',
      }),
    ),
    terms: Type.Optional(Type.String({ maxLength: 5000, title: 'Terms', description: 'The terms and conditions of an offer.' })),
    button: choice(
      { learn_more: 'Learn more', book: 'Book', order: 'Order online', shop: 'Buy', sign_up: 'Sign up', call: 'Call now' },
      {
        default: 'learn_more',
        title: 'Button',
        description:
          'What the button below an update or event says. It opens the link of the post; without a link there is no button, except Call now, which ' +
          'calls the number of the profile and takes no link.',
      },
    ),
  },
  { additionalProperties: false, 'x-words': { de: germanWords } },
)

export type Settings = Static<typeof settings>
