/**
 * Why a platform refused or delayed a channel, more precisely than its error code. The sentences are ours; `{platform}` is the name of the
 * platform. What a platform says in its own words is apart from them, so that a client can write these sentences in another language.
 */
export const failureReasons = {
  // The permission
  reconnect: '{platform} no longer accepts this connection. Reconnect the account.',
  sign_in_refused: '{platform} does not accept this sign-in. Connect again with the handle and a new app password.',
  second_factor_asked: 'This {platform} account asks for a second factor. Use an app password.',
  session_ended: 'The {platform} session has ended and must be renewed.',
  permission_missing: '{platform} says this connection lacks a permission. Reconnect and allow all requested permissions.',
  role_missing:
    '{platform} says this connection may not do this. Check the role on the page and the app’s products, then reconnect.',
  bot_not_admitted:
    '{platform} does not let the bot post in this chat. Make it an administrator who may post, or a member of the group, then reconnect.',
  renewal_failed: '{platform} could not renew its permission just now. It is tried again.',

  // The developer app
  app_refused: '{platform} does not accept the developer app. Its operator has to check id and secret.',
  app_permission_missing: 'The {platform} developer app lacks the permission for this. Its operator has to change its settings.',
  app_credits_used: 'The {platform} developer app has no credits left. Its operator has to buy more.',
  app_quota_used: 'The {platform} developer app has used up its quota for today. The post will be sent later.',
  app_accounts_full: 'The {platform} app has reached its limit of accounts for today. The post will be sent later.',
  app_not_audited:
    '{platform} has not audited the app yet: until then the account must be private and the post for its owner only.',
  app_domain_unverified: '{platform} does not know the address of the photos. The operator has to verify its domain there.',
  api_version_ended: '{platform} no longer supports this version of its API. The operator has to update Carillon.',

  // The account
  slow_down: '{platform} asks us to slow down. The post will be sent later.',
  day_limit: '{platform} accepts no more posts from this account today. The post will be sent later.',
  inbox_full: 'Too many posts wait in the {platform} app. Finish or discard some there; the post will be sent later.',
  restricted_for_a_while: '{platform} has restricted this account for a while because of its activity.',
  restricted: '{platform} has restricted this account. See the {platform} app for what to do.',
  banned: '{platform} has banned this account from posting.',
  suspended: '{platform} has suspended this account.',
  taken_down: '{platform} has taken this account down.',
  deactivated: 'This {platform} account is deactivated.',
  email_unconfirmed: 'The e-mail address of this {platform} account must be confirmed before it can post videos.',
  channel_missing: 'This {platform} account has no channel. Create one there, then connect the account again.',
  account_moved: 'This {platform} account is no longer on its server.',
  not_found: '{platform} has no such account or post.',

  // The content
  refused: '{platform} refused this.',
  duplicate: '{platform} refused this post because the same text was posted recently.',
  spam: '{platform} refused this post as spam.',
  review_refused: '{platform} has reviewed this post and does not show it, because of its rules for content.',
  audience_not_offered: '{platform} does not offer this account the chosen audience.',
  branded_not_public: '{platform} does not accept branded content that only you can see.',
  text_too_long: '{platform} refused this post because a text in it is too long.',
  title_refused:
    '{platform} refused the title: it is missing, too long, or has characters that are not allowed, such as < and >.',
  text_refused: '{platform} refused the text: it is too long, or has characters that are not allowed, such as < and >.',
  tags_refused: '{platform} refused the tags: together they are too long, or one has characters that are not allowed.',
  comments_off: '{platform} takes no comments on this post.',
  caption_limits: '{platform} refused the caption: it has too many characters, hashtags or mentions.',
  too_many_tagged: '{platform} refused the post because too many people are tagged in it.',
  text_alone: '{platform} does not accept text alone; add a photo or a video.',
  item_count: '{platform} does not accept this number of photos and videos in one post.',

  // The files
  file_too_large: '{platform} refused this post because a file is too large.',
  file_kind: '{platform} refused this post because it does not accept this kind of file.',
  file_format: '{platform} refused the file because of its format.',
  file_shape: '{platform} refused the file because of its shape (width to height).',
  file_size: '{platform} refused the file because of its size.',
  video_length: '{platform} refused the video because of its length.',
  video_frame_rate: '{platform} refused the video because of its frame rate.',
  video_bit_rate: '{platform} refused the video because of its bit rate.',
  video_sound: '{platform} refused the video because of its sound channels.',
  video_cover: '{platform} refused the moment chosen for the cover of the video.',
  file_unprocessed: '{platform} could not process the file.',
  file_processing: '{platform} is still processing the file.',
  file_not_fetched: '{platform} could not fetch the file from its address. Retry once it can be reached.',
  file_late: '{platform} did not receive the file in time. Retry to send it again.',
  file_unreadable: 'A file could not be read from the library.',

  // The way there
  own_trouble: 'Carillon could not prepare this just now. It is tried again.',
  unreachable: '{platform} could not be reached.',
  busy: '{platform} was processing another request at the same moment.',
  preparing: '{platform} is still preparing the post.',
  not_prepared: '{platform} could not prepare the post. Retry to prepare it again.',
  preparation_expired: 'The prepared post was not published within a day, so {platform} discarded it. Retry to prepare it again.',
  preparation_unanswered: '{platform} did not answer while the post was being prepared.',
  not_done: '{platform} did not publish the post. Retry to send it again.',
  thread_stopped:
    'The post before this one in the thread is published, but its id is not known, so that nothing can answer it. Send the rest from the ' +
    'platform itself.',
  cancelled: 'The post was cancelled at {platform}.',
  sent_again: '{platform} did not publish it; it is sent again.',
  other_post_found:
    '{platform} answered with a post that belongs to another post of Carillon, so it is not known whether this one was published. ' +
    'Check the platform, then resolve the channel.',
} as const satisfies Record<string, string>

export type FailureReason = keyof typeof failureReasons
