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
  | 'title_too_long'
  | 'setting_conflict'
  | 'cover_after_end'
  | 'format_not_taken'
  | 'format_mismatch'
  | 'media_missing'
  | 'media_too_many'
  | 'media_kind'
  | 'media_not_alone'
  | 'media_type'
  | 'media_too_large'
  | 'media_pixels'
  | 'media_width'
  | 'media_ratio'
  | 'media_duration'
  | 'media_pages'
  | 'alt_too_long'

/** One rule of a platform that a draft breaks. */
export type Violation = {
  code: ViolationCode
  /** The invalid field, such as `text`, `medias[0]`, `contentFormat` or `settings.spoiler`. */
  path: string
  /** A sentence for the user that states the limit and the actual value. */
  message: string
}
