import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  delivery: {
    title: 'Wie der Beitrag hinkommt',
    description:
      'Im Posteingang der TikTok-App stellt jemand den Beitrag innerhalb von 24 Stunden fertig und wählt dort Text, Publikum und Kennzeichnung. Das Konto braucht dafür die Berechtigung video.upload.',
    choices: { publish: 'Direkt veröffentlichen', inbox: 'In den Posteingang der App legen' },
  },
  privacyLevel: {
    title: 'Wer den Beitrag sehen kann',
    description:
      'Was das Konto nicht anbietet, wird abgelehnt. Ist nichts gewählt, siehst nur du den Beitrag, und er bekommt einen Hinweis.',
    choices: {
      PUBLIC_TO_EVERYONE: 'Alle',
      MUTUAL_FOLLOW_FRIENDS: 'Freunde',
      FOLLOWER_OF_CREATOR: 'Follower (nur private Konten)',
      SELF_ONLY: 'Nur du',
    },
  },
  allowComments: { title: 'Kommentare erlauben', description: 'Andere dürfen den Beitrag kommentieren.' },
  allowDuets: { title: 'Duette erlauben', description: 'Andere dürfen ihr eigenes Video neben diesem zeigen.' },
  allowStitches: { title: 'Stitches erlauben', description: 'Andere dürfen einen Teil dieses Videos in ihrem verwenden.' },
  contentDisclosure: {
    title: 'Werbung offenlegen',
    description: 'Der Beitrag wirbt für eine Marke, ein Produkt oder eine Dienstleistung: Sag, für wessen.',
  },
  yourBrand: { title: 'Eigene Marke', description: 'Der Beitrag wirbt für dich selbst oder dein eigenes Geschäft.' },
  brandedContent: {
    title: 'Bezahlte Partnerschaft',
    description: 'Der Beitrag wirbt für eine andere Marke oder für Dritte. Er kann dann nicht nur für dich sichtbar sein.',
  },
  aiGenerated: { title: 'Mit KI erstellt', description: 'Kennzeichnet das Video als mit künstlicher Intelligenz erstellt.' },
  addMusic: { title: 'Musik hinzufügen', description: 'TikTok wählt Musik für einen Beitrag mit Fotos aus.' },
  coverSeconds: {
    title: 'Titelbild',
    description: 'Die Stelle des Videos, in Sekunden, deren Bild zum Titelbild wird.',
  },
}
