import type { PasswordAuth } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { callSlack, exchangeWithSlack, notAdmitted } from './errors.ts'
import { Channel, Channels, Identity } from './wire.ts'

const tokenForm = /^xoxb-[\w-]{10,200}$/
const idForm = /^[CG][A-Z\d]{7,20}$/
const nameForm = /^#?([\p{L}\p{N}_-]{1,80})$/u

/** To write, to upload and to see what became of it, and to find the channel and what was written there. */
const needed = ['chat:write', 'files:write', 'files:read', 'channels:read', 'groups:read', 'channels:history', 'groups:history']

/** Of a workspace with more channels, a person enters the link. */
const pagesMax = 10

type Read = { method: 'GET'; anonymous: true; headers: Record<string, string> }

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'token', label: 'Token of the bot', secret: true },
    { name: 'channel', label: 'Link of the channel', secret: false },
  ],
  perInstance: false,

  // A token is valid until the app is removed from the workspace. Apps with token rotation are refused: their tokens begin with `xoxe`.
  async open(http, fields) {
    const token = (fields.token ?? '').trim()
    if (!tokenForm.test(token)) throw refuseEntered('Slack needs the Bot User OAuth Token of an app. It begins with xoxb-.')
    const read: Read = { method: 'GET', anonymous: true, headers: { authorization: `Bearer ${token}` } }
    const { body, headers } = await exchangeWithSlack(http, { ...read, path: '/api/auth.test', returns: Identity })
    const granted = headers['x-oauth-scopes']?.split(',').map((scope) => scope.trim())
    const missing = granted ? needed.filter((scope) => !granted.includes(scope)) : []
    if (missing.length > 0)
      throw refuseEntered(`The Slack app lacks the scopes ${missing.join(', ')}. Add them, install the app again, and connect.`)
    const id = await findChannel(http, read, fields.channel ?? '')
    const { channel } = await callSlack(http, {
      ...read,
      path: '/api/conversations.info',
      query: { channel: id },
      returns: Channel,
    })
    if (channel.is_archived === true || channel.is_member !== true)
      throw new PlatformError({ ...notAdmitted, platformCode: channel.is_archived ? 'is_archived' : 'not_in_channel' })
    return { accessToken: token, extra: { channel: channel.id, user: body.user_id, url: body.url } }
  },
}

/** People copy the link of a channel or its id, or write its name. */
async function findChannel(http: Http, read: Read, entered: string): Promise<string> {
  const text = entered.trim()
  const id = /^https:\/\/[\w.-]+\.slack\.com\/(?:archives|client\/\w+)\/([CG][A-Z\d]+)(?:[/?].*)?$/.exec(text)?.[1] ?? text
  if (idForm.test(id)) return id
  const name = nameForm.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) throw refuseEntered('Slack needs the link of a channel (Copy link in its menu), its id or its name.')
  let cursor: string | undefined
  for (let page = 0; page < pagesMax; page++) {
    const query = { types: 'public_channel,private_channel', exclude_archived: 'true', limit: '1000', cursor }
    const answer = await callSlack(http, { ...read, path: '/api/conversations.list', query, returns: Channels })
    const found = answer.channels.find((channel) => channel.name === name)
    if (found) return found.id
    cursor = answer.response_metadata?.next_cursor || undefined
    if (cursor === undefined) break
  }
  throw new PlatformError({ ...notAdmitted, platformCode: 'channel_not_found' })
}
