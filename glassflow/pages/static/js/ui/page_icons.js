// Icons that not every page needs: a page that imports this can use them by `Icon`.
import { SHAPES } from "../../vendor/ui.js";
import { SHAPES as PAGE_SHAPES } from "../../vendor/icons.js";

Object.assign(SHAPES, PAGE_SHAPES);
