import { readNumber, type Chat } from '../chat/chat.ts'

/** Messages without the cards of the links in them (docs.discord.com, message flags). */
const suppressEmbeds = 4

/** Webhooks of a channel (docs.discord.com/developers/resources/webhook, Execute Webhook). */
export const chat: Chat = {
  findProblem: ({ pathname }) =>
    /\/webhooks\/[^/]+\/[^/]+$/.test(pathname)
      ? null
      : 'Must be the address of a webhook of a channel, which ends with its id and its token.',
  urlOf: (address) => address.href,
  // Nothing in the text calls anybody, neither a person nor @everyone.
  bodyOf: (text) => ({ content: text, allowed_mentions: { parse: [] }, flags: suppressEmbeds }),
  waitSeconds: (body) => readNumber(body, 'retry_after'),
}
