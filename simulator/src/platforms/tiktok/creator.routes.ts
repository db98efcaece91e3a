import type { Call } from '../../http/call.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { ok, refuseWith } from './errors.ts'
import { pickFields } from './pick-fields.ts'

const secondsMax = 600
const shortSecondsMax = 60

/** The widest audience is everyone for a public account, and the followers for a private one. */
export function privacyOptionsOf({ handle }: Account): string[] {
  const widest = handle.startsWith('private-') ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE'
  return [widest, 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
}

/** People see a name of their own choice, not the handle. */
function nicknameOf({ handle }: Account): string {
  return handle.charAt(0).toUpperCase() + handle.slice(1).replaceAll(/[-_.]+/g, ' ')
}

export function creatorRoutes(context: PlatformContext): Route[] {
  const userInfo = ({ query }: Call, { account }: Session): Reply => {
    const user = {
      open_id: account.id,
      union_id: `union-${account.id}`,
      avatar_url: context.avatarUrlOf(account.handle),
      display_name: account.handle,
      username: account.handle,
      follower_count: 0,
    }
    return ok({ user: pickFields(query, user) })
  }

  const creatorInfo = (account: Account): Reply => {
    if (account.handle.startsWith('busy-'))
      throw refuseWith(403, 'spam_risk_too_many_posts', 'Daily post cap from the API is reached for the current user.')
    const isStrict = account.handle.startsWith('strict-')
    return ok({
      creator_avatar_url: context.avatarUrlOf(account.handle),
      creator_username: account.handle,
      creator_nickname: nicknameOf(account),
      privacy_level_options: privacyOptionsOf(account),
      comment_disabled: isStrict,
      duet_disabled: isStrict,
      stitch_disabled: isStrict,
      max_video_post_duration_sec: isStrict ? shortSecondsMax : secondsMax,
    })
  }

  return [
    { method: 'GET', path: '/v2/user/info/', operation: 'account', scope: 'user.info.basic', handle: userInfo },
    {
      method: 'POST',
      path: '/v2/post/publish/creator_info/query/',
      operation: 'stage',
      scope: 'video.publish',
      charges: [{ limit: 'creatorInfo', cost: 1 }],
      handle: (_, { account }) => creatorInfo(account),
    },
  ]
}
