import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  topic: {
    title: 'Art des Beitrags',
    description: 'Eine Veranstaltung und ein Angebot haben einen Titel, einen Beginn und ein Ende.',
    choices: { update: 'Neuigkeit', event: 'Veranstaltung', offer: 'Angebot' },
  },
  title: {
    title: 'Titel',
    description: 'Der Titel einer Veranstaltung oder eines Angebots. Eine Neuigkeit hat keinen.',
  },
  start: {
    title: 'Beginn',
    description:
      'Der Tag, an dem eine Veranstaltung oder ein Angebot beginnt, etwa 2026-12-24, oder Tag und Uhrzeit, etwa 2026-12-24T18:00, in der Zeit des Ortes.',
  },
  end: {
    title: 'Ende',
    description: 'Der letzte Tag einer Veranstaltung oder eines Angebots, oder Tag und Uhrzeit des Endes, in der Zeit des Ortes.',
  },
  couponCode: {
    title: 'Gutscheincode',
    description: 'Was man für ein Angebot vorzeigt oder eingibt.',
  },
  redeemUrl: {
    title: 'Einlösen auf',
    description: 'Die Webseite, auf der man ein Angebot bekommt. Ohne Angabe ist das der Link des Beitrags.',
  },
  terms: {
    title: 'Bedingungen',
    description: 'Die Bedingungen eines Angebots.',
  },
  button: {
    title: 'Schaltfläche',
    description:
      'Was die Schaltfläche unter einer Neuigkeit oder Veranstaltung sagt. Sie öffnet den Link des Beitrags; ohne Link gibt es keine, außer Jetzt ' +
      'anrufen: Das ruft die Nummer des Profils an und nimmt keinen Link.',
    choices: {
      learn_more: 'Weitere Informationen',
      book: 'Buchen',
      order: 'Online bestellen',
      shop: 'Kaufen',
      sign_up: 'Registrieren',
      call: 'Jetzt anrufen',
    },
  },
}
