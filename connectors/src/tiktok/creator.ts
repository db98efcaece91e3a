import type { Static } from 'typebox'
import type { Http } from '../kit/http.ts'
import type { Capabilities, Client } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { callApi } from './call-api.ts'
import { mayUseInbox } from './inbox.ts'
import { manifest } from './manifest.ts'
import { privacyLevels } from './settings.ts'
import { Creator } from './wire.ts'

export function readCreator(http: Http): Promise<Static<typeof Creator>> {
  return callApi(http, { path: '/v2/post/publish/creator_info/query/', returns: Creator })
}

/** These concern the account, not the question: it cannot post at the moment, or at all. */
const blockingCodes = [
  'spam_risk',
  'spam_risk_too_many_posts',
  'spam_risk_too_many_pending_share',
  'spam_risk_user_banned_from_posting',
  'reached_active_user_cap',
]

/** TikTok wants this asked whenever a person begins to write a post for the account. */
export const capabilities = {
  currentMs: 20_000,
  bindsMs: 600_000,
  async read(client: Client): Promise<Capabilities> {
    try {
      return describe(await readCreator(client.http), mayUseInbox(client))
    } catch (error) {
      if (!(error instanceof PlatformError) || !blockingCodes.includes(error.platformCode ?? '')) throw error
      return { rules: {}, blocked: { reason: error.reason ?? null, message: error.message } }
    }
  },
}

function describe(creator: Static<typeof Creator>, hasInbox: boolean): Capabilities {
  const { max_video_post_duration_sec: secondsMax, creator_nickname: nickname, creator_username: username } = creator
  const never = (isDisabled: boolean | undefined, name: string) => (isDisabled === true ? { [name]: [false] } : {})
  const name = nickname || username
  return {
    rules: {
      ...(secondsMax !== undefined &&
        secondsMax > 0 && { video: { secondsMax: Math.min(secondsMax, manifest.video.secondsMax) } }),
      choices: {
        ...(!hasInbox && { [manifest.handover.setting]: ['publish'] }),
        privacyLevel: privacyLevels.filter((level) => creator.privacy_level_options.includes(level)),
        ...never(creator.comment_disabled, 'allowComments'),
        ...never(creator.duet_disabled, 'allowDuets'),
        ...never(creator.stitch_disabled, 'allowStitches'),
      },
    },
    ...(name && { name }),
  }
}
