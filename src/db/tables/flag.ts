/** How yes and no are stored. */

export type Flag = 0 | 1;
