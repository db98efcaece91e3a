export type TextProblem =
  | 'too_long'
  | 'too_many_bytes'
  | 'too_many_links'
  | 'too_many_hashtags'
  | 'too_many_mentions'
  | 'too_many_cashtags'

export type ViolationCode =
  | 'text_missing'
  | `text_${TextProblem}`
  | `first_comment_${TextProblem}`
  | `thread_${TextProblem}`
  | 'thread_not_taken'
  | 'thread_too_many_posts'
  | 'title_too_long'
  | 'text_characters'
  | 'title_characters'
  | 'setting_conflict'
  | 'setting_not_offered'
  | 'setting_needed'
  | 'disclosure_incomplete'
  | 'cover_after_end'
  | 'setting_too_long'
  | 'format_not_taken'
  | 'format_mismatch'
  | 'media_missing'
  | 'media_too_many'
  | 'media_kind'
  | 'media_not_alone'
  | 'media_mixed'
  | 'media_type'
  | 'media_too_large'
  | 'media_too_large_together'
  | 'media_pixels'
  | 'media_width'
  | 'media_ratio'
  | 'media_duration'
  | 'media_pages'
  | 'alt_too_long'

/** The values of a sentence, so that a client can write it in another language. */
type ViolationParams = {
  /** The name of the platform whose rule it is; absent if the rule is Carillon's own. */
  platform?: string
  limit?: number
  actual?: number
  /** Whether `limit` is the lowest or the highest accepted value. Absent: the highest. */
  bound?: 'least' | 'most'
  /** What `limit` and `actual` count, for example `character`, `byte`, `photo` or `second`. */
  unit?: string
  [name: string]: unknown
}

/** One rule of a platform that a draft breaks. */
export type Violation = {
  code: ViolationCode
  /** The invalid field, such as `text`, `medias[0]`, `contentFormat` or `settings.spoiler`. */
  path: string
  /** A sentence for the user that states the limit and the actual value. */
  message: string
  params: ViolationParams
}

type WarningCode =
  | 'format_changed'
  | 'title_left_out'
  | 'first_comment_left_out'
  | 'alt_text_left_out'
  | 'link_in_text'
  | 'ai_label_left_out'
  | 'audience_unchosen'
  | 'handed_over'

/** One field of a draft that the platform does not support. The post is published without it. */
export type DraftWarning = { code: WarningCode; path: string; message: string; params: ViolationParams }
