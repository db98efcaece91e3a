import type { PastPosts } from '../../support/database/insert-past-posts.ts'

/** Too few to say anything. */
export const twelvePosts: readonly PastPosts[] = [
  { weekday: 1, time: '08:10', weeks: 10, engagement: 10 },
  { weekday: 6, time: '10:00', weeks: 2, engagement: 2 },
]

/** With the twelve: two good hours, one usual and one bad one. */
export const morePosts: readonly PastPosts[] = [
  { weekday: 3, time: '08:30', weeks: 10, engagement: 10 },
  { weekday: 2, time: '09:00', weeks: 10, engagement: 22 },
  { weekday: 4, time: '17:45', weeks: 6, engagement: 19 },
  { weekday: 6, time: '10:00', weeks: 4, engagement: 2 },
  { weekday: 5, time: '12:00', weeks: 2, engagement: null },
]
