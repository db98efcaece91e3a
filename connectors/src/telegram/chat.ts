import { readField, readNumber, withoutMentions, type Chat } from '../chat/chat.ts'

/** The method sendMessage of a bot (core.telegram.org/bots/api#sendmessage), without a parse mode. The address names the chat. */
export const chat: Chat = {
  findProblem(address) {
    if (!/^\/bot[^/]+\/sendMessage$/.test(address.pathname)) return 'Must be the address of a bot, /bot<token>/sendMessage.'
    return chatIdOf(address) === '' ? 'Must name the chat: put ?chat_id= and the id of the chat at the end.' : null
  },
  urlOf: ({ origin, pathname }) => `${origin}${pathname}`,
  bodyOf: (text, address) => ({
    chat_id: chatIdOf(address),
    text: withoutMentions(text),
    link_preview_options: { is_disabled: true },
  }),
  waitSeconds: (body) => readNumber(readField(body, 'parameters'), 'retry_after'),
}

function chatIdOf({ searchParams }: URL): string {
  return searchParams.get('chat_id') ?? ''
}
