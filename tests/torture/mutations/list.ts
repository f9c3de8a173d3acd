import list from "./list.json";
import type { Mutation } from "./mutation";

/** All faults that the run is known to find. They are data: the texts hold code, which is not run here. */
export const MUTATIONS: readonly Mutation[] = list;
