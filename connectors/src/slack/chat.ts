import { withoutMentions, type Chat } from '../chat/chat.ts'

/**
 * Incoming webhooks (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). `<!channel>` would call everybody, so `<` is escaped.
 * Mattermost takes the same messages, and there a plain @channel calls everybody.
 */
export const chat: Chat = {
  findProblem: () => null,
  urlOf: (address) => address.href,
  bodyOf: (text) => ({ text: escapeText(withoutMentions(text)), unfurl_links: false, unfurl_media: false }),
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
