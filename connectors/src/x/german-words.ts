import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  replySettings: {
    title: 'Wer antworten kann',
    description: 'Wer auf X auf den Beitrag antworten darf.',
    choices: {
      everyone: 'Alle',
      following: 'Konten, denen du folgst',
      mentionedUsers: 'Nur erwähnte Personen',
      subscribers: 'Deine Abonnenten',
      verified: 'Verifizierte Konten',
    },
  },
  aiGenerated: { title: 'Mit KI erstellt', description: 'Kennzeichnet den Beitrag als mit künstlicher Intelligenz erstellt.' },
}
