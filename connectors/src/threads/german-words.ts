import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  replyControl: {
    title: 'Wer antworten kann',
    description: 'Wer auf Threads auf den Beitrag antworten darf.',
    choices: {
      everyone: 'Alle',
      accounts_you_follow: 'Profile, denen du folgst',
      mentioned_only: 'Nur erwähnte Personen',
      parent_post_author_only: 'Nur, wer den beantworteten Beitrag geschrieben hat',
      followers_only: 'Deine Follower',
    },
  },
  topicTag: { title: 'Thema', description: 'Ein Thema, ohne # und ohne „.“ oder „&“.' },
}
