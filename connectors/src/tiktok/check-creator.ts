import type { Client, Draft } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { readCreator } from './creator.ts'
import { because } from './errors.ts'
import { audienceOf, type Settings } from './settings.ts'

/** TikTok requires apps to read before every post what this account may do at the moment. */
export async function checkCreator({ http }: Client, { settings, media }: Draft<Settings>): Promise<void> {
  const creator = await readCreator(http)
  const { brandedContent } = settings
  const privacyLevel = audienceOf(settings)
  const offered = creator.privacy_level_options
  if (!offered.includes(privacyLevel))
    throw refuse('privacy_level_option_mismatch', {
      reason: 'audience_not_offered',
      message: `TikTok offers this account ${offered.join(', ')}, and not ${privacyLevel}.`,
    })
  if (brandedContent && privacyLevel === 'SELF_ONLY') throw refuse('branded_content_private', because('branded_not_public'))
  const secondsMax = creator.max_video_post_duration_sec ?? Infinity
  const seconds = media[0]?.kind === 'video' ? (media[0].durationSeconds ?? 0) : 0
  if (seconds > secondsMax)
    throw refuse('duration_check_failed', {
      reason: 'video_length',
      message: `TikTok accepts videos of at most ${secondsMax} seconds from this account.`,
    })
}

function refuse(platformCode: string, why: ReturnType<typeof because>): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode, ...why })
}
