import type { LabelKind, ReportLanguage } from '@carillon/contract'
import type { PeriodLength } from './read-report.ts'

type FigureName = 'posts' | 'impressions' | 'engagement' | 'rate'
type Charted = Exclude<FigureName, 'rate'>

/** The texts of the page of a report. */
export type ReportWords = {
  locale: string
  kinds: Record<LabelKind, string>
  print: string
  figures: string
  names: Record<FigureName, string>
  rateIs: string
  before(value: string): string
  noneBefore: string
  points(value: string): string
  unknown: string
  notToldFor(posts: number, platforms: string): string
  chart: Record<Charted, Record<PeriodLength, string>>
  highest(value: string, day: string): string
  accounts: string
  account: string
  severalAccounts: string
  best: string
  bestIs: string
  noText: string
  openOn(platform: string, account: string): string
  nothing: string
  about: string
  compared(range: string): string
  asOf(when: string): string
  noFigures: string
  zone(zone: string): string
  sums: string
}

const english: ReportWords = {
  locale: 'en-GB',
  kinds: { campaign: 'Campaign', label: 'Label' },
  print: 'To keep this report, print the page and choose “Save as PDF”.',
  figures: 'Key figures',
  names: { posts: 'Posts', impressions: 'Impressions', engagement: 'Engagement', rate: 'Engagement rate' },
  rateIs: 'The engagement rate is engagement in percent of impressions, over the posts for which both are reported.',
  before: (value) => `before: ${value}`,
  noneBefore: 'no figure for the period before',
  points: (value) => `${value} points`,
  unknown: 'not reported',
  notToldFor: (posts, platforms) => `not reported for ${posts} ${posts === 1 ? 'post' : 'posts'} (${platforms})`,
  chart: {
    posts: { day: 'Posts by day', week: 'Posts by week', month: 'Posts by month' },
    impressions: { day: 'Impressions by day', week: 'Impressions by week', month: 'Impressions by month' },
    engagement: { day: 'Engagement by day', week: 'Engagement by week', month: 'Engagement by month' },
  },
  highest: (value, day) => `Highest: ${value}, ${day}`,
  accounts: 'Accounts',
  account: 'Account',
  severalAccounts: 'A post that appeared on several accounts is counted for each of them here, and once above.',
  best: 'Best posts',
  bestIs: 'The posts with the highest engagement.',
  noText: 'Without text',
  openOn: (platform, account) => `Open on ${platform}, ${account}`,
  nothing: 'Nothing was published in this period.',
  about: 'About these figures',
  compared: (range) => `They are compared with ${range}.`,
  asOf: (when) => `The platforms last reported figures on ${when}.`,
  noFigures: 'No platform has reported figures yet.',
  zone: (zone) => `Days and times are those of the time zone ${zone}.`,
  sums: 'Engagement is the sum of likes, comments, shares and saves. All figures are those of posts that were published in the period, up to now.',
}

const german: ReportWords = {
  locale: 'de-DE',
  kinds: { campaign: 'Kampagne', label: 'Label' },
  print: 'Um diesen Bericht aufzubewahren, die Seite drucken und „Als PDF speichern“ wählen.',
  figures: 'Das Wichtigste',
  names: { posts: 'Beiträge', impressions: 'Aufrufe', engagement: 'Interaktionen', rate: 'Interaktionsrate' },
  rateIs:
    'Die Interaktionsrate sind die Interaktionen in Prozent der Aufrufe, über die Beiträge, zu denen es beide Angaben gibt.',
  before: (value) => `davor: ${value}`,
  noneBefore: 'keine Zahl für den Zeitraum davor',
  points: (value) => `${value} Punkte`,
  unknown: 'nicht gemeldet',
  notToldFor: (posts, platforms) => `nicht gemeldet für ${posts} ${posts === 1 ? 'Beitrag' : 'Beiträge'} (${platforms})`,
  chart: {
    posts: { day: 'Beiträge pro Tag', week: 'Beiträge pro Woche', month: 'Beiträge pro Monat' },
    impressions: { day: 'Aufrufe pro Tag', week: 'Aufrufe pro Woche', month: 'Aufrufe pro Monat' },
    engagement: { day: 'Interaktionen pro Tag', week: 'Interaktionen pro Woche', month: 'Interaktionen pro Monat' },
  },
  highest: (value, day) => `Höchster Wert: ${value}, ${day}`,
  accounts: 'Konten',
  account: 'Konto',
  severalAccounts: 'Ein Beitrag, der auf mehreren Konten erschien, zählt hier bei jedem von ihnen und oben einmal.',
  best: 'Beste Beiträge',
  bestIs: 'Die Beiträge mit den meisten Interaktionen.',
  noText: 'Ohne Text',
  openOn: (platform, account) => `Auf ${platform} öffnen, ${account}`,
  nothing: 'In diesem Zeitraum wurde nichts veröffentlicht.',
  about: 'Zu diesen Zahlen',
  compared: (range) => `Verglichen wird mit ${range}.`,
  asOf: (when) => `Die Plattformen haben zuletzt am ${when} Zahlen gemeldet.`,
  noFigures: 'Noch hat keine Plattform Zahlen gemeldet.',
  zone: (zone) => `Tage und Zeiten sind die der Zeitzone ${zone}.`,
  sums: 'Interaktionen sind die Summe der Likes, Kommentare, geteilten und gespeicherten Beiträge. Alle Zahlen sind die der Beiträge, die in dem Zeitraum veröffentlicht wurden, bis heute.',
}

const french: ReportWords = {
  locale: 'fr-FR',
  kinds: { campaign: 'Campagne', label: 'Étiquette' },
  print: 'Pour conserver ce rapport, imprimez la page et choisissez « Enregistrer au format PDF ».',
  figures: 'Chiffres clés',
  names: { posts: 'Publications', impressions: 'Impressions', engagement: 'Interactions', rate: 'Taux d’engagement' },
  rateIs:
    'Le taux d’engagement correspond aux interactions en pourcentage des impressions, pour les publications dont les deux sont indiqués.',
  before: (value) => `avant : ${value}`,
  noneBefore: 'aucun chiffre pour la période précédente',
  points: (value) => `${value} points`,
  unknown: 'non indiqué',
  notToldFor: (posts, platforms) => `non indiqué pour ${posts} ${posts === 1 ? 'publication' : 'publications'} (${platforms})`,
  chart: {
    posts: { day: 'Publications par jour', week: 'Publications par semaine', month: 'Publications par mois' },
    impressions: { day: 'Impressions par jour', week: 'Impressions par semaine', month: 'Impressions par mois' },
    engagement: { day: 'Interactions par jour', week: 'Interactions par semaine', month: 'Interactions par mois' },
  },
  highest: (value, day) => `Valeur la plus haute : ${value}, ${day}`,
  accounts: 'Comptes',
  account: 'Compte',
  severalAccounts: 'Une publication parue sur plusieurs comptes est comptée ici pour chacun d’eux, et une seule fois plus haut.',
  best: 'Meilleures publications',
  bestIs: 'Les publications avec le plus d’interactions.',
  noText: 'Sans texte',
  openOn: (platform, account) => `Ouvrir sur ${platform}, ${account}`,
  nothing: 'Rien n’a été publié pendant cette période.',
  about: 'À propos de ces chiffres',
  compared: (range) => `Ils sont comparés à la période ${range}.`,
  asOf: (when) => `Les plateformes ont indiqué des chiffres pour la dernière fois le ${when}.`,
  noFigures: 'Aucune plateforme n’a encore indiqué de chiffres.',
  zone: (zone) => `Les jours et les heures sont ceux du fuseau horaire ${zone}.`,
  sums: 'Les interactions sont la somme des mentions J’aime, des commentaires, des partages et des enregistrements. Tous les chiffres sont ceux des publications parues pendant la période, jusqu’à maintenant.',
}

const spanish: ReportWords = {
  locale: 'es-ES',
  kinds: { campaign: 'Campaña', label: 'Etiqueta' },
  print: 'Para guardar este informe, imprime la página y elige «Guardar como PDF».',
  figures: 'Cifras principales',
  names: { posts: 'Publicaciones', impressions: 'Impresiones', engagement: 'Interacciones', rate: 'Tasa de interacción' },
  rateIs: 'La tasa de interacción son las interacciones en porcentaje de las impresiones, de las publicaciones con ambos datos.',
  before: (value) => `antes: ${value}`,
  noneBefore: 'sin cifra del periodo anterior',
  points: (value) => `${value} puntos`,
  unknown: 'no se indica',
  notToldFor: (posts, platforms) => `sin datos de ${posts} ${posts === 1 ? 'publicación' : 'publicaciones'} (${platforms})`,
  chart: {
    posts: { day: 'Publicaciones por día', week: 'Publicaciones por semana', month: 'Publicaciones por mes' },
    impressions: { day: 'Impresiones por día', week: 'Impresiones por semana', month: 'Impresiones por mes' },
    engagement: { day: 'Interacciones por día', week: 'Interacciones por semana', month: 'Interacciones por mes' },
  },
  highest: (value, day) => `Valor más alto: ${value}, ${day}`,
  accounts: 'Cuentas',
  account: 'Cuenta',
  severalAccounts: 'Una publicación que apareció en varias cuentas cuenta aquí para cada una, y arriba una sola vez.',
  best: 'Mejores publicaciones',
  bestIs: 'Las publicaciones con más interacciones.',
  noText: 'Sin texto',
  openOn: (platform, account) => `Abrir en ${platform}, ${account}`,
  nothing: 'En este periodo no se publicó nada.',
  about: 'Sobre estas cifras',
  compared: (range) => `Se comparan con ${range}.`,
  asOf: (when) => `Las plataformas indicaron cifras por última vez el ${when}.`,
  noFigures: 'Ninguna plataforma ha indicado cifras todavía.',
  zone: (zone) => `Los días y las horas son los de la zona horaria ${zone}.`,
  sums: 'Las interacciones son la suma de los «me gusta», los comentarios, las veces compartidas y las guardadas. Todas las cifras son las de las publicaciones del periodo, hasta ahora.',
}

export const reportWords: Readonly<Record<ReportLanguage, ReportWords>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
}

/** For a link that shows nothing, in the language of the browser. */
export const endedWords = {
  en: {
    title: 'This report cannot be read',
    text: 'The link has expired or was ended, or it is not complete. Ask the person who sent it to you for a new one.',
    busyTitle: 'Too many visits',
    busy: 'This report was opened very often in the last minutes. Open it again in a quarter of an hour.',
  },
  de: {
    title: 'Dieser Bericht ist nicht zu lesen',
    text: 'Der Link ist abgelaufen oder beendet, oder er ist nicht vollständig. Bitte die Person, von der du ihn hast, um einen neuen.',
    busyTitle: 'Zu viele Aufrufe',
    busy: 'Dieser Bericht wurde in den letzten Minuten sehr oft geöffnet. Öffne ihn in einer Viertelstunde wieder.',
  },
} as const
