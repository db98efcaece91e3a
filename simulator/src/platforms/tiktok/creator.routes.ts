import type { Call } from '../../http/call.ts'
import type { Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { ok } from './errors.ts'
import { pickFields } from './pick-fields.ts'

const secondsMax = 600

/** The widest audience is everyone for a public account, and the followers for a private one. */
export function privacyOptionsOf({ handle }: Account): string[] {
  const widest = handle.startsWith('private-') ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE'
  return [widest, 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
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

  const creatorInfo = (account: Account): Reply =>
    ok({
      creator_avatar_url: context.avatarUrlOf(account.handle),
      creator_username: account.handle,
      creator_nickname: account.handle,
      privacy_level_options: privacyOptionsOf(account),
      comment_disabled: false,
      duet_disabled: false,
      stitch_disabled: false,
      max_video_post_duration_sec: secondsMax,
    })

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
